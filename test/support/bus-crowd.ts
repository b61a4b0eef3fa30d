import { connect, type Socket } from 'node:net'
import type { BusMessage } from './bus-client.ts'

/**
 * Many sockets for live events that only record messages with their times. A WebSocket package needs longer to read a message than the
 * service to send it, so a test with thousands of its sockets would measure itself.
 */
export interface Crowd {
  connect(cookie: string): Promise<void>
  /** When each of them got its next message of a channel. */
  untilAllHear(channel: string): Promise<readonly number[]>
  /** All messages that each of them got. */
  received(): readonly (readonly BusMessage[])[]
  close(): void
}

/** An empty answer to a ping, masked as those of clients are. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const TEXT = 1
const PING = 9

export function openCrowd(url: string): Crowd {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  const received: string[][] = []
  let awaited = { channel: '', left: 0, moments: [] as number[], resolve: (_moments: readonly number[]) => {} }

  const hear = (text: string): void => {
    if (awaited.left === 0 || !text.startsWith(awaited.channel)) return
    awaited.moments.push(performance.now())
    if (--awaited.left === 0) awaited.resolve(awaited.moments)
  }

  return {
    connect: (cookie) =>
      new Promise((resolve, reject) => {
        const texts: string[] = []
        const socket = connect(Number(port), hostname)
        const read = framesOf((kind, text) => {
          if (kind === PING) socket.write(PONG)
          if (kind !== TEXT) return
          if (texts.push(text) === 1) resolve()
          hear(text)
        })
        const head = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
        const own = [
          `Host: ${hostname}:${port}`,
          `Origin: ${url}`,
          `Cookie: ${cookie}`,
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        ]
        socket.write(['GET /web/wc/bus HTTP/1.1', ...head, ...own, '', ''].join('\r\n'))
        let answer = Buffer.alloc(0)
        const onHead = (data: Buffer): void => {
          answer = Buffer.concat([answer, data])
          const end = answer.indexOf('\r\n\r\n')
          if (end < 0) return
          socket.off('data', onHead).on('data', read)
          if (answer.toString('latin1', 0, 12) !== 'HTTP/1.1 101') reject(new Error(answer.toString('latin1', 0, end)))
          sockets.push(socket)
          received.push(texts)
          read(answer.subarray(end + 4))
        }
        socket.on('data', onHead).on('error', reject)
      }),
    untilAllHear: (channel) =>
      new Promise((resolve) => {
        awaited = { channel: `{"channel":"${channel}"`, left: sockets.length, moments: [], resolve }
      }),
    received: () => received.map((texts) => texts.map((text) => JSON.parse(text) as BusMessage)),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Reads the frames of a server, which are whole and not masked. */
function framesOf(onFrame: (kind: number, text: string) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (data) => {
    let bytes = rest.length === 0 ? data : Buffer.concat([rest, data])
    while (bytes.length >= 2) {
      const short = bytes[1]! & 0x7f
      if (short === 127) throw new Error('A frame of more than 64 kB.')
      const start = short === 126 ? 4 : 2
      if (bytes.length < start) break
      const end = start + (short === 126 ? bytes.readUInt16BE(2) : short)
      if (bytes.length < end) break
      onFrame(bytes[0]! & 0x0f, bytes.toString('utf8', start, end))
      bytes = bytes.subarray(end)
    }
    rest = bytes
  }
}
