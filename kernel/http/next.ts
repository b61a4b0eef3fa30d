const HOME = '/web/home'
const NOWHERE = 'http://next.invalid'

/**
 * Where to go after a form: the wish if it is a page of ours, else the home page. Asked where a wish is stored and again
 * where it is used. What is returned was written anew from its parts, so no other reading of the wish is left.
 */
export function safeNext(wish: string | null | undefined, otherwise: string = HOME): string {
  if (!wish?.startsWith('/web') || isTreacherous(wish) || !URL.canParse(wish, NOWHERE)) return otherwise
  const { origin, pathname, search, hash } = new URL(wish, NOWHERE)
  const isOurs = origin === NOWHERE && (pathname === '/web' || pathname.startsWith('/web/'))
  return isOurs && !isTricky(pathname) ? pathname + search + hash : otherwise
}

/** An encoded or empty step could mean something else to whoever reads the path next. */
const isTricky = (pathname: string): boolean =>
  pathname.includes('//') || /%(2e|2f|5c|0[0-9a-f]|1[0-9a-f])/i.test(pathname)

/** A backslash is a slash to browsers, and control characters vanish from URLs. */
const isTreacherous = (wish: string): boolean =>
  wish.includes('\\') || [...wish].some((char) => char <= ' ' || char === '\x7f')
