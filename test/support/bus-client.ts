import { once } from 'node:events'
import { WebSocket } from 'ws'

export interface BusMessage {
  readonly channel: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly seq?: string
}

export interface BusClient {
  readonly socket: WebSocket
  /** All messages so far, without those that only carry the position. */
  readonly received: readonly BusMessage[]
  /** The position from which another connection continues: that of the last message, once the requested events have arrived. */
  readonly seq: string
  send(message: { readonly since?: string; readonly [part: string]: unknown }): void
  /** Waits for a message, one that has come already included. */
  until(matches: (message: BusMessage) => boolean): Promise<BusMessage>
  /** Code and reason of the end. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  close(): Promise<void>
}

/** Channels of messages that only carry the position. */
const NOTES: ReadonlySet<string> = new Set(['hello', 'position', 'replayed'])

export interface ConnectOptions {
  /** The cookies of a signed-in browser. */
  readonly cookie: string
  readonly origin?: string | null
  /** Called with each message, except those that only carry the position. */
  readonly onMessage?: (message: BusMessage) => void
}

/** Opens a socket for live events as a page of the service does, and waits until the server has taken it. */
export async function connectBus(url: string, { cookie, origin = url, onMessage }: ConnectOptions): Promise<BusClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/web/wc/bus`, {
    headers: { cookie, ...(origin !== null && { origin }) },
  })
  const received: BusMessage[] = []
  const waiting = new Set<() => void>()
  let seq = ''
  let hasCaughtUp = true
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as BusMessage
    hasCaughtUp ||= message.channel === 'replayed' || message.channel === 'resync'
    if (message.seq !== undefined && hasCaughtUp) seq = message.seq
    if (!NOTES.has(message.channel)) {
      received.push(message)
      onMessage?.(message)
    }
    for (const look of [...waiting]) look()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  const first = once(socket, 'message')
  const refused = once(socket, 'unexpected-response').then(([, response]) => {
    socket.terminate()
    throw new Error(`refused with ${response.statusCode}`)
  })
  socket.on('error', () => {})
  // A server that cannot accept the socket, because it stops or has no database, closes it without a message.
  const dropped = closed.then(({ code }) => {
    throw new Error(`closed with ${code}`)
  })
  await Promise.race([first, refused, dropped])
  return {
    socket,
    received,
    get seq() {
      return seq
    },
    send(message) {
      if (message.since !== undefined) {
        seq = message.since
        hasCaughtUp = false
      }
      socket.send(JSON.stringify(message))
    },
    until: (matches) =>
      new Promise((resolve) => {
        const look = () => {
          const found = received.find(matches)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    closed,
    async close() {
      socket.close()
      await closed
    },
  }
}
