import { joinBytes } from '../bytes.ts'
import { badRequest, refusal } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Timer } from '../services.ts'

export const tooLarge = (limit: number) =>
  refusal('PAYLOAD_TOO_LARGE', 'body_too_large', `The body is larger than ${limit} bytes.`, { limit })

/** The media type without its parameters, in lower case. */
export const mediaType = (headers: Headers): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()

/** Accepts only JSON in UTF-8, and no compressed body, since a small one could decompress to a huge one. */
export function requireJson(headers: Headers): void {
  requireUncompressed(headers)
  const type = headers.get('content-type')
  if (type === 'application/json') return
  const [media = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (media !== 'application/json')
    throw refusal('UNSUPPORTED_MEDIA', 'media_type', 'The body must be application/json.')
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=')
    if (name === 'charset' && value.replaceAll('"', '') !== 'utf-8')
      throw refusal('UNSUPPORTED_MEDIA', 'charset', 'The body must be UTF-8.')
  }
}

export function requireUncompressed(headers: Headers): void {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    throw refusal('UNSUPPORTED_MEDIA', 'content_encoding', 'Compressed bodies are not accepted.')
  }
}

/** The bytes of the body; more than `limit`, or bytes that do not arrive in time, are an error. */
export async function readBytes(request: Request, limit: number, timer: Timer): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared === null) {
    const reader = request.body?.getReader()
    return reader ? inTime(timer, countBytes(reader, limit), () => reader.cancel()) : new Uint8Array()
  }
  if (Number(declared) > limit) throw tooLarge(limit)
  // HTTP servers end a body at its declared length.
  return new Uint8Array(await inTime(timer, request.arrayBuffer().catch(failBrokenBody)))
}

/**
 * The result of `reading`, within the time limit of a body: a caller that stops sending must not keep its place. `giveUp` ends the
 * reading after that time.
 */
export async function inTime<T>(timer: Timer, reading: Promise<T>, giveUp?: () => Promise<void>): Promise<T> {
  let stop = () => {}
  const late = new Promise<never>((_resolve, reject) => {
    stop = timer(LIMITS.bodyMs, () => {
      reject(badRequest('body_too_slow', `The body did not arrive within ${LIMITS.bodyMs / 1_000} seconds.`))
      giveUp?.().catch(() => {})
    })
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    stop()
  }
}

/** A body of unknown length. Counts while it arrives, so that one over the limit is never held in memory. */
async function countBytes(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(failBrokenBody)
    if (done || value === undefined) break
    size += value.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(value)
  }
  return chunks.length === 1 ? chunks[0]! : joinBytes(chunks)
}

/**
 * The client disconnected while sending its body. It will not see the answer, but this must not be logged as an error of the service.
 */
function failBrokenBody(): never {
  throw badRequest('body_not_json', 'The body ended early.')
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('body_not_json', 'The body is not valid UTF-8.')
  }
}
