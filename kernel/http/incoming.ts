/** What the pipeline reads of a request. The standard `Request` fits, and so does a host's leaner one. */
export interface Incoming {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: IncomingHeaders
  readonly body: { getReader(): BodyReader } | null
}

export interface IncomingHeaders {
  get(name: string): string | null
}

export interface BodyReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>
}

/** Whether a person is to read an error, rather than a program. */
export const wantsPage = ({ url, headers }: Incoming): boolean =>
  (headers.get('accept') ?? '').includes('text/html') && !isDataAddress(url)

/** Whether a form, or a page, is answered with data: its sender asks for JSON or speaks it. Anybody else is shown or led to a page. */
export function wantsJson({ headers }: Incoming): boolean {
  const accepted = headers.get('accept') ?? ''
  if (accepted.includes('text/html')) return false
  return accepted.includes('application/json') || (headers.get('content-type') ?? '').startsWith('application/json')
}

/** Addresses that no person opens: what they answer is data, whoever asks. */
export const isDataAddress = (url: string): boolean => /^\/(api\/|web\/wc\/|metrics$)/.test(new URL(url).pathname)

/** A page a browser loads on suspicion; it may never be looked at. */
export const isFetchedAhead = (headers: IncomingHeaders): boolean =>
  headers.get('sec-purpose') !== null || headers.get('purpose') !== null
