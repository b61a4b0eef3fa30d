import type { IncomingMessage } from 'node:http'
import type { BodyReader, Incoming, IncomingHeaders } from '../../kernel/http/incoming.ts'

/** A Node request as the pipeline reads it, without the cost of a standard `Request`. */
export function toIncoming(req: IncomingMessage): Incoming {
  return {
    method: req.method ?? 'GET',
    // Only HTTP/1.0 may come without a host.
    url: `http://${req.headers.host ?? 'localhost'}${req.url}`,
    headers: new NodeHeaders(req.headers),
    get body() {
      return { getReader: () => readerOf(req) }
    },
  }
}

/** Node's parser has lower-cased the names and joined repeated headers already. */
class NodeHeaders implements IncomingHeaders {
  readonly #values: IncomingMessage['headers']

  constructor(values: IncomingMessage['headers']) {
    this.#values = values
  }

  get(name: string): string | null {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }
}

function readerOf(req: IncomingMessage): BodyReader {
  const chunks: AsyncIterator<Uint8Array> = req[Symbol.asyncIterator]()
  return { read: () => chunks.next() }
}
