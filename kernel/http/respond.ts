import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'
import { type AnswerKind, baseHeaders } from './headers.ts'

/** What a handler answers: plain data, so that only `respond` deals with the host's classes. */
export interface Answer {
  readonly status: number
  readonly kind: AnswerKind
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** Added to the headers of the kind, or replacing them. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A JSON document as it is. */
export const json = (value: unknown, headers?: Answer['headers']): Answer => jsonText(JSON.stringify(value), headers)

/** The same for JSON that is text already. */
export const jsonText = (body: string, headers?: Answer['headers']): Answer => ({
  status: 200,
  kind: 'json',
  body,
  ...(headers && { headers }),
})

/** A page that says one thing; for people who end up where there is nothing. */
export const messagePage = (status: number, text: string): Answer => ({
  status,
  kind: 'html',
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${text}</title><h1>${text}</h1></html>`,
})

/** The success envelope as text. */
export const envelopeText = (result: unknown): string => JSON.stringify({ ok: true, result, error: null })

/** The error envelope. An error that is not ours shows nothing but the request id. */
export function failure(error: unknown, requestId: string): Answer {
  const known = error instanceof AppError && error.code !== 'INTERNAL' ? error : internal(requestId)
  return {
    status: known.status,
    kind: 'json',
    body: JSON.stringify({
      ok: false,
      result: null,
      error: { code: known.code, message: known.message, details: known.details },
    }),
    headers: failureHeaders(known),
  }
}

function failureHeaders({ code, retryAfter }: AppError): Readonly<Record<string, string>> {
  if (retryAfter !== undefined) return { 'retry-after': String(Math.ceil(retryAfter)) }
  return code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {}
}

const internal = (requestId: string) =>
  new AppError('INTERNAL', 'Something went wrong on our side. The log has the details under this request id.', {
    request_id: requestId,
  })

/** The one place that makes a Response. The host knows best how to encode text and to tell its length. */
export function respond(
  services: Services,
  answer: Answer,
  extra: Readonly<Record<string, string>>,
  isHead: boolean,
): Response {
  const headers = {
    ...baseHeaders(answer.kind, services.publicUrl?.startsWith('https:') === true),
    ...answer.headers,
    ...extra,
  }
  // The standard's types leave out typed arrays over a buffer that could be shared; ours never are.
  return new services.Response(isHead ? null : (answer.body as BodyInit | null), { status: answer.status, headers })
}
