/** Whether an error is answered with an HTML page: the caller is a browser that opens a page. */
export const wantsPage = ({ url, headers }: Request): boolean =>
  (headers.get('accept') ?? '').includes('text/html') && !isDataAddress(url)

/** Whether a form or page is answered with JSON, because the caller accepts or sends it. Others get a page or a redirect to one. */
export function wantsJson({ headers }: Request): boolean {
  const accepted = headers.get('accept') ?? ''
  if (accepted.includes('text/html')) return false
  return accepted.includes('application/json') || (headers.get('content-type') ?? '').startsWith('application/json')
}

/** Addresses of the API: they answer with data to every caller. */
export const isDataAddress = (url: string): boolean =>
  /^\/(api\/|internal\/|web\/wc\/|metrics$)/.test(new URL(url).pathname)

/** A prefetch of the browser: the user has not opened the page yet and possibly never will. */
export const isPrefetch = (headers: Headers): boolean =>
  headers.get('sec-purpose') !== null || headers.get('purpose') !== null
