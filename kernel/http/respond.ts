import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { AppError, answerTooLarge, refusal } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Services } from '../services.ts'
import { WrittenJson } from '../sql/json-rows.ts'
import { type AnswerKind, baseHeaders } from './headers.ts'

/** The answer of a handler: plain data, so that only `respond` deals with the host's classes. */
export interface Answer {
  readonly status: number
  readonly kind: AnswerKind
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** Added to the headers of the kind, or replacing them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`, one header each. */
  readonly cookies?: readonly string[]
}

/** A 303 redirect, also after a form. `to` must be a path of this service. */
export const redirect = (to: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  kind: 'html',
  body: null,
  headers: { location: to },
  cookies,
})

/** A JSON document as it is. */
export const jsonAnswer = (value: unknown, headers?: Answer['headers']): Answer =>
  jsonText(JSON.stringify(value), headers)

/** A JSON document that is text already. */
export const jsonText = (body: string, headers?: Answer['headers']): Answer => ({
  status: 200,
  kind: 'json',
  body,
  ...(headers && { headers }),
})

/** A JSON document that is bytes already. */
const jsonBytes = (body: Uint8Array, headers?: Answer['headers']): Answer => ({
  status: 200,
  kind: 'json',
  body,
  ...(headers && { headers }),
})

/** An object with one more member whose JSON is already written. */
export function jsonWithMember(others: object, name: string, member: WrittenJson): Answer {
  const head = utf8ToBytes(`${JSON.stringify(others).slice(0, -1)},${JSON.stringify(name)}:`)
  return jsonBytes(concatBytes(head, member.bytes, utf8ToBytes('}')))
}

/** The success envelope. */
export const envelope = (result: unknown, headers?: Answer['headers']): Answer =>
  result instanceof WrittenJson ? jsonBytes(envelopeBytes(result), headers) : jsonText(envelopeText(result), headers)

const BEFORE = utf8ToBytes('{"ok":true,"result":')
const BEHIND = utf8ToBytes(',"error":null}')

function envelopeBytes({ bytes }: WrittenJson): Uint8Array {
  if (BEFORE.length + bytes.length + BEHIND.length > LIMITS.answerBytes) throw answerTooLarge(LIMITS.answerBytes)
  return concatBytes(BEFORE, bytes, BEHIND)
}

/** The success envelope as text. */
export function envelopeText(result: unknown): string {
  const text = JSON.stringify({ ok: true, result, error: null })
  if (bytesOf(text) > LIMITS.answerBytes) throw answerTooLarge(LIMITS.answerBytes)
  return text
}

/** Encodes only what could be too large: a character of JavaScript has at most three bytes. */
const bytesOf = (text: string): number =>
  text.length * 3 <= LIMITS.answerBytes ? text.length : new TextEncoder().encode(text).length

/** The error envelope. */
export function failure(known: AppError): Answer {
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

/** The error as the caller may see it. Of an unexpected error only the request id is shown. */
export const presentable = (error: unknown, requestId: string): AppError =>
  error instanceof AppError && error.code !== 'INTERNAL' ? error : internal(requestId)

export function failureHeaders({ code, retryAfter, headers }: AppError): Readonly<Record<string, string>> {
  if (retryAfter !== undefined) return { ...headers, 'retry-after': String(Math.ceil(retryAfter)) }
  return code === 'UNAUTHORIZED' ? { ...headers, 'www-authenticate': 'Bearer' } : { ...headers }
}

const internal = (requestId: string) =>
  refusal(
    'INTERNAL',
    'unexpected',
    'Something went wrong on our side. The log has the details under this request id.',
    {
      request_id: requestId,
    },
  )

/** The only place that creates a Response. Text is passed on as it is; the host encodes it and sets its length. */
export function respond(
  services: Services,
  answer: Answer,
  extra: Readonly<Record<string, string>>,
  isHead: boolean,
): Response {
  const isSecure = services.publicUrl?.startsWith('https:') === true
  // Not a spread, for the sake of hidden classes (runtime/README.md).
  const headers = Object.assign({}, baseHeaders(answer.kind, isSecure), answer.headers, extra)
  // The body of a HEAD request is never read; cancelling it ends its transaction.
  if (isHead && answer.body instanceof ReadableStream) void answer.body.cancel()
  return new services.Response(
    // The types of the standard refuse typed arrays over shared buffers; ours are never shared.
    isHead ? null : (answer.body as BodyInit | null),
    { status: answer.status, headers: answer.cookies?.length ? withCookies(headers, answer.cookies) : headers },
  )
}

/** A list of pairs, because an object could hold only one `Set-Cookie`. */
const withCookies = (headers: Readonly<Record<string, string>>, cookies: readonly string[]): [string, string][] => [
  ...Object.entries(headers),
  ...cookies.map((cookie): [string, string] => ['set-cookie', cookie]),
]
