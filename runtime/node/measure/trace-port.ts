import type { Services } from '../../../kernel/services.ts'
import { joinTraces, startTrace } from '../../../kernel/trace.ts'
import type { Config } from '../../config.ts'
import { startSpans } from './spans.ts'

/** The measurements of requests that the operator has switched on. */
export function tracePort(config: Pick<Config, 'trace' | 'otel'>): Pick<Services, 'startTrace'> {
  const timed = () => startTrace(() => performance.now())
  if (config.trace && config.otel) return { startTrace: (request) => joinTraces([timed(), startSpans(request)]) }
  if (config.trace) return { startTrace: timed }
  return config.otel ? { startTrace: startSpans } : {}
}
