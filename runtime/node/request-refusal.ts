import type { IncomingMessage } from 'node:http'
import { type AppError, badRequest, refusal } from '../../kernel/errors.ts'
import { isOurHost, parseHost } from './host-header.ts'

export const MAX_HEADERS = 100
export const MAX_HEAD_BYTES = 16_384
/** Node's own limit. */
const MAX_CHUNK_EXTENSION_BYTES = 16_384

/** Why a request is refused before the pipeline; null for a valid one. */
export function requestRefusal(req: IncomingMessage, publicUrl: URL | undefined): AppError | null {
  const problem = malformed(req)
  if (problem !== null) return problem
  const host = parseHost(req.headers.host ?? 'localhost')
  if (host === null) return badRequest('header_invalid', 'The Host header is not a host.')
  return isOurHost(host, publicUrl) ? null : refusal('MISDIRECTED', 'host_unknown', 'This service has another name.')
}

/** Dot segments, backslashes and # in a path: a URL parser resolves them, so they could get around a proxy's rule. Clients send resolved paths. */
const ROUNDABOUT = /^[^?]*(?:[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$))/i

/** Requests Node's parser lets pass although proxies and applications may read them differently. Only HTTP/1.0 may come without a host. */
function malformed({ url = '', rawHeaders, httpVersion }: IncomingMessage): AppError | null {
  if (rawHeaders.length / 2 > MAX_HEADERS) return badRequest('limit_exceeded', 'Too many headers.')
  if (!url.startsWith('/')) return badRequest('url_invalid', 'The request target must be a path.')
  if (ROUNDABOUT.test(url))
    return badRequest('url_invalid', 'The path must be without dot segments, backslashes and #.')
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return badRequest('header_invalid', 'Two Host headers.')
  return hosts === 0 && httpVersion !== '1.0' ? badRequest('header_invalid', 'No Host header.') : null
}

/** Node takes only the expectation that every client may have. */
export const unknownExpectation = () => badRequest('header_invalid', 'The header Expect may only be 100-continue.')

/** Why Node could make no request of what came, by the code of its error. */
export function unreadRefusal(code: string): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal('HEADERS_TOO_LARGE', 'head_too_large', `The headers are larger than ${MAX_HEAD_BYTES} bytes.`, {
        limit: MAX_HEAD_BYTES,
      })
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return refusal('PAYLOAD_TOO_LARGE', 'body_too_large', 'The body has too large chunk extensions.', {
        limit: MAX_CHUNK_EXTENSION_BYTES,
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('REQUEST_TIMEOUT', 'request_too_slow', 'The request did not arrive in time.')
    default:
      return badRequest('request_invalid', 'This is not a valid HTTP request.')
  }
}
