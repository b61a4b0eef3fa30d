import { LIMITS } from '../limits.ts'

/** Text that can stand in a header or a log line as it is. */
export const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/** The caller's `X-Request-ID` if it is safe to repeat in headers and logs; otherwise null. */
export function suppliedRequestId(header: string | null): string | null {
  return header !== null && header.length <= LIMITS.requestIdChars && VISIBLE_ASCII.test(header) ? header : null
}

/** An id for the log of a request that brought none. */
export function newRequestId(random: (bytes: number) => Uint8Array): string {
  let id = ''
  for (const byte of random(12)) id += byte.toString(16).padStart(2, '0')
  return id
}
