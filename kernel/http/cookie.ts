export const SESSION_COOKIE = 'svc_session'

/** Value of a cookie. Two of the same name count as none: one of them may have been tossed in by another host. */
export function readCookie(header: string | null, name: string): string | null {
  if (header === null) return null
  let value: string | null = null
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals === -1 || part.slice(0, equals).trim() !== name) continue
    if (value !== null) return null
    value = part.slice(equals + 1).trim()
  }
  return value
}
