/** Whether a person is to read an error, rather than a program. */
export const wantsPage = ({ url, headers }: Request): boolean =>
  (headers.get('accept') ?? '').includes('text/html') && !isDataAddress(url)

/** Whether a form, or a page, is answered with data: its sender asks for JSON or sends it. Anybody else is shown or led to a page. */
export function wantsJson({ headers }: Request): boolean {
  const accepted = headers.get('accept') ?? ''
  if (accepted.includes('text/html')) return false
  return accepted.includes('application/json') || (headers.get('content-type') ?? '').startsWith('application/json')
}

/** Addresses that no person opens: what they answer is data, whoever asks. */
export const isDataAddress = (url: string): boolean => /^\/(api\/|web\/wc\/|metrics$)/.test(new URL(url).pathname)

/** A page a browser loads on suspicion; it may never be looked at. */
export const isFetchedAhead = (headers: Headers): boolean =>
  headers.get('sec-purpose') !== null || headers.get('purpose') !== null
