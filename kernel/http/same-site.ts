import { refusal } from '../errors.ts'

/** Data a page of another site must not be able to ask for with the reader's cookie, whatever it could learn from the answer. */
export function requireSameSite(headers: Headers): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    throw refusal('CSRF', 'cross_site', 'The request comes from another site.')
  }
}
