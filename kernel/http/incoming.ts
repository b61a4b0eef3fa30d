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

/** Whether a person is to read the answer, rather than a program. */
export const wantsPage = ({ url, headers }: Incoming): boolean =>
  (headers.get('accept') ?? '').includes('text/html') && !new URL(url).pathname.startsWith('/api/')
