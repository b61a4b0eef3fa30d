import type { Services } from '../services.ts'

export const SESSION_COOKIE = 'svc_session'

/**
 * Value of a cookie. A name that occurs twice counts as missing, because another host may have set one of the two (cookie
 * tossing).
 */
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

export interface CookieOptions {
  /** Seconds; without it the browser deletes the cookie when it closes. */
  readonly maxAge?: number
  readonly path?: string
  readonly sameSite?: 'Lax' | 'Strict'
}

/** A `Set-Cookie` value with HttpOnly, and Secure if the service runs on https. */
export function setCookie(
  { publicUrl }: Services,
  name: string,
  value: string,
  { maxAge, path = '/', sameSite = 'Lax' }: CookieOptions = {},
): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  const secure = publicUrl?.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}${age}${secure}`
}

export const dropCookie = (services: Services, name: string, options: Omit<CookieOptions, 'maxAge'> = {}): string =>
  setCookie(services, name, '', { ...options, maxAge: 0 })
