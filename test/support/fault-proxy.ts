import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface FaultProxy {
  /** The DSN that leads through the proxy. */
  readonly dsn: string
  /** What happens to the next COMMIT of a request: the connection breaks before it reaches the server, or before the answer comes back. */
  commit: 'pass' | 'lose request' | 'lose answer'
  /** Breaks the connection of the n-th message of requests from now on; 0 after that has happened, or to switch it off. */
  cutAt: number
  /** How many of the next connections answer only after `slowMs`: a second and a half, longer than a request waits for a connection. */
  slowConnections: number
  slowMs: number
  /** Swallow everything from now on, without closing: a silently broken network. */
  silent: boolean
  /** Connections so far, and those that are open now. */
  readonly opened: number
  readonly open: number
  /** Connects to the server of another DSN from now on; open connections break. */
  lead(dsn: string): void
  close(): Promise<void>
}

const SLOW_MS = 1_500
const COMMIT = Buffer.from('commit\0')
/** The name under which a connection prepares it. */
const PREPARED_COMMIT = /(s\d+)\0commit\0/
/** How connections that serve no request name themselves when they begin; their statements come at any time. */
const BACKGROUND = /application_name\0[^\0]* (system|rate|probe|pulse|listen|jobs)\0/

/** A TCP proxy in front of PostgreSQL that breaks in chosen ways. */
export async function startFaultProxy(dsn: string): Promise<FaultProxy> {
  let target = new URL(dsn)
  const sockets = new Set<Socket>()
  let opened = 0
  const server = createServer((client) => {
    opened++
    const upstream = connect(Number(target.port), target.hostname)
    if (proxy.slowConnections > 0) {
      proxy.slowConnections--
      client.pause()
      setTimeout(() => client.resume(), proxy.slowMs)
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let answersLost = false
    let isBackground: boolean | undefined
    let preparedCommit: Buffer | undefined
    client.on('data', (data) => {
      if (proxy.silent) return
      isBackground ??= BACKGROUND.test(data.toString('latin1'))
      if (!isBackground && proxy.cutAt > 0 && --proxy.cutAt === 0) {
        client.destroy()
        return
      }
      const isCommit = data.includes(COMMIT) || (preparedCommit !== undefined && data.includes(preparedCommit))
      const prepared = PREPARED_COMMIT.exec(data.toString('latin1'))
      if (prepared) preparedCommit = Buffer.from(`\0${prepared[1]}\0`)
      const mode = !isBackground && isCommit ? proxy.commit : 'pass'
      if (mode !== 'pass') proxy.commit = 'pass'
      if (mode === 'lose request') client.destroy()
      else upstream.write(data)
      answersLost = mode === 'lose answer'
    })
    upstream.on('data', (data) => {
      if (answersLost) client.destroy()
      else if (!proxy.silent) client.write(data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const through = new URL(dsn)
  through.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const proxy: FaultProxy = {
    dsn: through.href,
    commit: 'pass',
    cutAt: 0,
    slowConnections: 0,
    slowMs: SLOW_MS,
    silent: false,
    get opened() {
      return opened
    },
    get open() {
      return sockets.size / 2
    },
    lead(other) {
      target = new URL(other)
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
