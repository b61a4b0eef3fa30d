import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, Server as PortServer, type Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createServerAdapter, Response as FastResponse, sendNodeResponse } from '@whatwg-node/server'
import type { AppError } from '../../kernel/errors.ts'
import { baseHeaders } from '../../kernel/http/headers.ts'
import { failure } from '../../kernel/http/respond.ts'
import type { ResponseClass } from '../../kernel/services.ts'
import type { App } from '../app.ts'
import { clientAddress, type Network } from '../client-address.ts'
import { MAX_HEAD_BYTES, MAX_HEADERS, requestRefusal, unknownExpectation, unreadRefusal } from './request-refusal.ts'

/** For `Services.Response`: the adapter's own class, which keeps text as text and writes head and body at once. */
export const NodeResponse: ResponseClass = FastResponse

export interface ListenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly Network[]
  /** The public address: its host is the one name the service answers to, beside addresses and `localhost`. */
  readonly publicUrl?: string | null
  /** How long a caller may leave an answer unread. */
  readonly unreadMs?: number
  /** Handles requests to change to another protocol; without it they are served like other requests. */
  readonly upgrade?: UpgradeOptions
}

export interface UpgradeOptions {
  /** Whether it handles this request. Others are served as if they had not asked for an upgrade. */
  takes(req: IncomingMessage): boolean
  handle(upgrade: Upgrade): Promise<void>
}

/** A request to change to another protocol, which Node hands over with its bare connection. */
export interface Upgrade {
  readonly req: IncomingMessage
  readonly connection: Duplex
  readonly head: Buffer
  readonly address: string | null
  /** Writes an answer on the connection and ends it. */
  readonly refuse: (response: Response) => Promise<void>
}

export interface Listener {
  readonly server: Server
  readonly url: string
  /** Goes on serving for `ms`, but every answer is the last one on its connection. */
  drain(ms: number): Promise<void>
  /** Accepts no new connections, lets running requests end, then cuts the rest. Returns method and path of each request it cut. */
  close(patience?: Partial<Patience>): Promise<readonly string[]>
  /** Ends a running drain and close at once. */
  cut(): void
}

/** How long a stop waits after the port is closed. */
export interface Patience {
  /** For running requests. */
  readonly graceMs: number
  /** For idle connections. */
  readonly idleMs: number
}

const UNREAD_MS = 20_000
/** How long a connection may be idle. */
export const KEEP_ALIVE_MS = 5_000
/** How long a stop lets a caller send the rest of a body whose request is already answered. */
const UNREAD_BODY_MS = 500

/**
 * Answers tell clients for how long they may reuse the connection. A client that respects this loses no request if a stop waits for that
 * time, and one second more for requests on their way.
 */
export const WAIT_FOR_KEEP_ALIVE: Patience = { graceMs: 10_000, idleMs: KEEP_ALIVE_MS + 1_000 }

/** For a stop that a person waits for. */
export const BRIEF: Patience = { graceMs: 10_000, idleMs: 500 }

/** For a stop that waits for no request and no connection. */
export const AT_ONCE: Patience = { graceMs: 0, idleMs: 0 }

/** Node's defaults give a slow or idle client a minute and more, so that few clients could hold all connections. */
const LIMITS = {
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  insecureHTTPParser: false,
  // Node refuses what lacks one, but without the envelope of an error.
  requireHostHeader: false,
} as const

const MAX_CONNECTIONS = 12_000

/** Serves an app on a socket. Give its services `NodeResponse`: a native response works too, only slower. */
export async function listen(app: App, options: ListenOptions): Promise<Listener> {
  const answer = createAnswer(app, options)
  const publicUrl = options.publicUrl ? new URL(options.publicUrl) : undefined
  const unanswered = new WeakMap<Socket, number>()
  const unread = new Set<Socket>()
  const silent = new Set<Socket>()
  const running = new Map<ServerResponse, string>()
  let drainedSince: number | undefined
  const server = createServer(LIMITS, (req, res) => {
    // Read now, since a request loses its socket when the connection is cut.
    const { socket } = req
    silent.delete(socket)
    running.set(res, `${req.method} ${req.url?.split('?')[0]}`)
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1)
    res.once('close', () => {
      running.delete(res)
      unanswered.set(socket, unanswered.get(socket)! - 1)
      if (req.complete) return
      unread.add(socket)
      req.once('close', () => unread.delete(socket))
    })
    const problem = requestRefusal(req, publicUrl)
    if (problem !== null) refuse(res, problem)
    else answer(req, res, () => drainedSince !== undefined).catch(() => res.destroy())
  })
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  const { upgrade, trustedProxies = [] } = options
  if (upgrade)
    server.on('upgrade', (req, connection, head) => {
      silent.delete(req.socket)
      // An upgrade that is pipelined after an unanswered request could not be answered in order, so it is refused.
      if (unanswered.get(req.socket)) return void connection.destroy()
      if (!upgrade.takes(req)) return serveAsUsual(server, req, connection as Socket, head)
      connection.on('error', () => connection.destroy())
      const problem = requestRefusal(req, publicUrl)
      if (problem !== null) return writeRefusal(connection, problem)
      const forwarded = req.headers['x-forwarded-for']
      const address = clientAddress(req.socket.remoteAddress, forwarded ? String(forwarded) : null, trustedProxies)
      const handled = upgrade.handle({
        ...{ req, connection, head, address },
        refuse: async (response) =>
          writeAnswer(connection, response.status, Object.fromEntries(response.headers), await response.text()),
      })
      handled.catch(() => connection.destroy())
    })
  // One more than allowed, because Node silently drops further headers.
  server.maxHeadersCount = MAX_HEADERS + 1
  server.maxConnections = MAX_CONNECTIONS
  server.on('clientError', refuseUnread)
  server.on('checkExpectation', (_req, res) => refuse(res, unknownExpectation()))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port, options.host, resolve))
  let isCut = false
  let endDrain = () => {}
  const wasCut: string[] = []
  const cut = () => {
    isCut = true
    endDrain()
    wasCut.push(...running.values())
    running.clear()
    server.closeAllConnections()
  }
  return {
    server,
    url: urlOf(server.address() as AddressInfo),
    cut,
    drain: (ms) => {
      drainedSince ??= performance.now()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, isCut ? 0 : ms)
        endDrain = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    close: async (patience) => {
      const { graceMs, idleMs } = { ...BRIEF, ...patience }
      drainedSince ??= performance.now()
      // Connections idle since the drain began have waited for that time already; others may have been opened a moment ago.
      const leftMs = Math.max(idleMs - (performance.now() - drainedSince), BRIEF.idleMs)
      await close(server, { unread, silent, cut }, isCut ? AT_ONCE : { graceMs, idleMs: Math.min(idleMs, leftMs) })
      return wasCut
    },
  }
}

interface NodeContext {
  readonly req: IncomingMessage
}

/** What the adapter would find out by itself from the `Request` of Node, which loads all of `fetch` with it. */
const ADAPTER = { __useCustomAbortCtrl: true }

/**
 * Hands a request of Node to the app as a standard one and writes the response. Not the adapter's own listener, which shows the
 * stack of an unexpected error to the caller; here the connection is cut.
 */
function createAnswer(app: App, { trustedProxies = [], unreadMs = UNREAD_MS }: ListenOptions) {
  const { handleNodeRequestAndResponse } = createServerAdapter<NodeContext>((request, { req }) => {
    const forwarded = request.headers.get('x-forwarded-for')
    return app.fetch(request, clientAddress(req.socket.remoteAddress, forwarded, trustedProxies))
  }, ADAPTER)
  return async (req: IncomingMessage, res: ServerResponse, isLast: () => boolean): Promise<void> => {
    const response = await handleNodeRequestAndResponse(req, res, { req })
    // The rest of a refused body is not read, and a closing server takes no second request.
    if (response.status === 413 || isLast()) res.setHeader('connection', 'close')
    res.setTimeout(unreadMs).on('timeout', cutUnread)
    const isStream = !response.headers.has('content-length')
    // The adapter removes the time limit when it streams, so it is set again.
    if (isStream) res.once('pipe', () => res.setTimeout(unreadMs))
    await sendNodeResponse(isStream ? watchStream(response, res) : response, res, req, true)
  }
}

/** Ends a connection whose caller does not read the waiting answer. A connection that waits for our slow stream stays open. */
function cutUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}

/**
 * A stream that fails half-way must not look like a whole answer, and its error must not end the process. The adapter pipes the
 * streams of its own class, whose errors can be listened to; those of a native response it would leave unhandled.
 */
function watchStream(response: Response, res: ServerResponse): Response {
  const { body } = response
  if (body === null) return response
  if (!('once' in body)) return watchStream(new FastResponse(body, response), res)
  ;(body as unknown as Readable).once('error', () => res.destroy())
  return response
}

/** Headers of a request to change the protocol; some clients send them with the first request of each connection (`h2c`). */
const UPGRADE_HEADERS = /^(upgrade|http2-settings|connection)$/i

/** Hands a connection back to the server, with the request as it would be without asking for another protocol. */
function serveAsUsual(server: Server, req: IncomingMessage, connection: Socket, head: Buffer): void {
  const headers = Array.from({ length: req.rawHeaders.length / 2 }, (_, i) => req.rawHeaders.slice(2 * i, 2 * i + 2))
  const kept = headers.filter(([name]) => !UPGRADE_HEADERS.test(name!)).map(([name, value]) => `${name}: ${value}`)
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`, ...kept, '', '']
  connection.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]))
  server.emit('connection', connection)
}

interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the pipeline would answer, as the last on the connection. */
function refusalAnswer(error: AppError): Refusal {
  const { status, body, headers } = failure(error)
  // The body of a failure is text.
  return { status, headers: { ...baseHeaders('json', false), ...headers, connection: 'close' }, body: body as string }
}

function refuse(res: ServerResponse, error: AppError): void {
  const { status, headers, body } = refusalAnswer(error)
  res.writeHead(status, headers).end(body)
}

/** Answers bytes that are no valid request. Node's own answer would lack the headers of all our answers. */
function refuseUnread({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  writeRefusal(socket, unreadRefusal(code))
}

function writeRefusal(connection: Duplex, error: AppError): void {
  const { status, headers, body } = refusalAnswer(error)
  writeAnswer(connection, status, headers, body)
}

/** Writes an answer on a connection that Node has handed over, and ends it. */
function writeAnswer(
  connection: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n')
  connection.end(head + body, () => connection.destroy())
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/**
 * Closing an idle connection could lose a request that is on its way. So the port is closed first, requests that still arrive are answered
 * as the last of their connection, and connections that stay idle are closed at the end, as are those with `unread` bytes of an answered
 * request. Connections on which no complete request head has arrived yet are `silent`.
 */
async function close(
  server: Server,
  { unread, silent, cut }: Readonly<Record<'unread' | 'silent', ReadonlySet<Socket>>> & Pick<Listener, 'cut'>,
  { graceMs, idleMs }: Patience,
): Promise<void> {
  // Connections in the accept queue count as open for their callers: two turns of the loop accept those that came before.
  for (let turn = 0; turn < 2; turn++) await setImmediate()
  await new Promise<void>((resolve, reject) => {
    const timers = [
      setTimeout(cut, graceMs),
      // Requests that arrived while the process was busy are read before the immediate, so their connections are not idle any more.
      setTimeout(
        () =>
          setImmediate().then(() => {
            server.close()
            for (const socket of silent) socket.destroy()
          }),
        Math.min(idleMs, graceMs),
      ),
      setTimeout(
        () => {
          for (const socket of unread) socket.destroy()
        },
        Math.min(UNREAD_BODY_MS, graceMs),
      ),
    ]
    // Not `close` of the HTTP server, which ends idle connections at once.
    PortServer.prototype.close.call(server, (error) => {
      for (const timer of timers) clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    })
  })
}
