import {
  type Context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import type { Trace } from '../../../kernel/trace.ts'

const HEADERS: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
}

/** Milliseconds since 1970, with fractions. */
const now = () => performance.timeOrigin + performance.now()

/** A request as a span of OpenTelemetry, inside that of its caller, with a span for each phase. Without an SDK nothing happens. */
export function startSpans({ method, headers }: Request): Trace {
  const tracer = trace.getTracer('modulus')
  const caller: Context = propagation.extract(ROOT_CONTEXT, headers, HEADERS)
  let last = now()
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, startTime: last }, caller)
  const inside = trace.setSpan(caller, span)
  return {
    lap(phase) {
      const startTime = last
      last = now()
      if (span.isRecording()) tracer.startSpan(phase, { startTime }, inside).end(last)
    },
    call: (name) => void span.setAttribute('modulus.call', name),
    end({ requestId, path, status }) {
      span.updateName(`${method} ${path}`)
      span.setAttributes({
        'http.request.method': method,
        'http.route': path,
        'http.response.status_code': status,
        'modulus.request_id': requestId,
      })
      if (status >= 499) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(last)
      return null
    },
  }
}
