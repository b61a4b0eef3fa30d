const HOME = '/web/home'
const NOWHERE = 'http://next.invalid'

/**
 * Where to go after a form: the requested page if it is one of ours, otherwise the home page. Called when the address is
 * stored and again when it is used. The result is rebuilt from the parsed URL, so that browsers cannot read it differently.
 */
export function safeNext(requested: string | null | undefined, otherwise: string = HOME): string {
  if (!requested?.startsWith('/web') || isUnsafe(requested) || !URL.canParse(requested, NOWHERE)) return otherwise
  const { origin, pathname, search, hash } = new URL(requested, NOWHERE)
  const isOurs = origin === NOWHERE && (pathname === '/web' || pathname.startsWith('/web/'))
  return isOurs && !isTricky(pathname) ? pathname + search + hash : otherwise
}

/** Encoded or empty path segments may be read differently by a proxy or browser. */
const isTricky = (pathname: string): boolean =>
  pathname.includes('//') || /%(2e|2f|5c|0[0-9a-f]|1[0-9a-f])/i.test(pathname)

/** Browsers read a backslash as a slash and drop control characters. */
const isUnsafe = (requested: string): boolean =>
  requested.includes('\\') || [...requested].some((char) => char <= ' ' || char === '\x7f')
