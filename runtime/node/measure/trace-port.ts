import type { Services } from '../../../kernel/services.ts'
import { joinTraces, startTrace } from '../../../kernel/trace.ts'
import type { Config } from '../../config.ts'
import { startSpans } from './spans.ts'

/** What measures the requests, as far as the operator has asked for it. */
export function tracePort(config: Pick<Config, 'trace' | 'otel'>): Pick<Services, 'startTrace'> {
  const timed = () => startTrace(() => performance.now())
  if (config.trace && config.otel) return { startTrace: (request) => joinTraces([timed(), startSpans(request)]) }
  if (config.trace) return { startTrace: timed }
  return config.otel ? { startTrace: startSpans } : {}
}
