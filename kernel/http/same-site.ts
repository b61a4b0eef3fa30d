import { refusal } from '../errors.ts'

/**
 * Refuses requests from pages of other sites: they would be sent with the user's cookie, and even status or timing could
 * reveal something.
 */
export function requireSameSite(headers: Headers): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    throw refusal('CSRF', 'cross_site', 'The request comes from another site.')
  }
}
