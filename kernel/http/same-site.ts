import { refusal } from '../errors.ts'
import type { IncomingHeaders } from './incoming.ts'

/** Data a page of another site must not be able to ask for with the reader's cookie, whatever it could learn from the answer. */
export function requireSameSite(headers: IncomingHeaders): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    throw refusal('CSRF', 'cross_site', 'The request comes from another site.')
  }
}
