import { LIMITS } from '../limits.ts'
import { OWN_REQUEST } from '../own-request.ts'

/** Text that can stand in a header or a log line as it is. */
export const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/** The caller's `X-Request-ID` if it is safe to repeat in headers and logs and cannot be taken for the service's own; otherwise null. */
export function suppliedRequestId(header: string | null): string | null {
  if (header === null || header.length > LIMITS.requestIdChars || OWN.has(header.toLowerCase())) return null
  return VISIBLE_ASCII.test(header) ? header : null
}

const OWN: ReadonlySet<string> = new Set(Object.values(OWN_REQUEST))

/** An id for the log of a request that brought none. */
export function newRequestId(random: (bytes: number) => Uint8Array): string {
  let id = ''
  for (const byte of random(12)) id += byte.toString(16).padStart(2, '0')
  return id
}
