import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { BusMessage, OpenRecord } from './bus.ts'

/** A socket, independent of the browser. */
export interface BusSocket {
  send(text: string): void
  close(): void
}

export interface BusSocketEvents {
  onOpen(): void
  onMessage(data: unknown): void
  onClose(code: number): void
}

export interface ConnectionPorts {
  /** Null if the server has no sockets: then only `poll` is used. */
  readonly connect: ((events: BusSocketEvents) => BusSocket) | null
  /** The position that the page is up to date with. */
  readonly since: string
  /** The events since a position. Opens the sign-in page when the browser has no session any more. */
  readonly poll: (since: string) => Promise<PollAnswer>
  /** Returns a function that stops it. */
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly now: () => number
  /** 0 ≤ x < 1 */
  readonly random: () => number
  readonly isHidden: () => boolean
  /** The record that is open on this page. */
  readonly present: ReadonlySignal<OpenRecord | null>
  readonly onMessage: (message: BusMessage) => void
}

export interface PollAnswer {
  readonly events?: readonly BusMessage[]
  /** Whether the log of the server no longer reaches back to the position. */
  readonly resync?: boolean
  readonly seq: string
}

export type ConnectionState =
  | { readonly kind: 'opening' | 'live' | 'polling' }
  /** Not connected; tried again at `nextTry`, in milliseconds of `now`. */
  | { readonly kind: 'lost'; readonly nextTry: number }

/** Keeps a connection to the events of the server: by a socket, or by polling where sockets do not get through. */
export interface Connection {
  readonly state: ReadonlySignal<ConnectionState>
  /** Connects now instead of at the next try; `isDoubtful`: also replaces a socket that may be dead without knowing it. */
  tryNow(isDoubtful?: boolean): void
  close(): void
}

const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 15_000
/** The first attempts follow each other quickly, since a server is usually back after a short time. */
const SOON_TRIES = 8
const SOON_WAIT_MS = 3_000
const POLL_MS = 5_000
/** After this many sockets without a `hello` it also polls, since a proxy may not let sockets through. */
const TRIES_BEFORE_POLLING = 3
const SIGNED_OUT = 4401
/** Close codes of a server that wants fewer connections or frames: policy, overload. */
const REFUSED: ReadonlySet<number> = new Set([1008, 1013])

interface ServerMessage extends BusMessage {
  readonly seq?: string
}

export function openConnection(ports: ConnectionPorts): Connection {
  const state: Signal<ConnectionState> = signal({ kind: 'opening' })
  let socket: BusSocket | null = null
  let lastSeq = ports.since
  /** Whether the events missed before this socket have arrived. */
  let hasCaughtUp = false
  let failures = 0
  let isClosed = false
  let stopRetry: (() => void) | null = null
  /** The current round of polling; an answer to an earlier one is ignored. */
  let polls: object | null = null
  let stopTimer: (() => void) | null = null
  let presentAt: OpenRecord | null = null

  const isLive = () => state.peek().kind === 'live'
  const send = (frame: object) => socket?.send(JSON.stringify(frame))

  function receive(data: unknown): void {
    const message = readMessage(data)
    if (!message) return
    const { channel, payload, seq } = message
    // Before that, events may have positions after the missed ones: taking those would lose the missed events if the connection broke.
    hasCaughtUp ||= /^re(played|sync)$/.test(channel)
    if (channel !== 'hello') {
      if (hasCaughtUp) lastSeq = seq ?? lastSeq
      if (!/^(position|replayed)$/.test(channel)) ports.onMessage({ channel, payload })
      return
    }
    // `hello` has the current position, but missed events are still to come, so the known position is kept.
    failures = 0
    stopPolling()
    state.value = { kind: 'live' }
    presentAt = ports.present.peek()
    if (presentAt) send({ present: presentAt })
  }

  function connect(): void {
    stopRetry?.()
    stopRetry = null
    if (!ports.connect || isClosed) return
    hasCaughtUp = false
    const own: BusSocket = ports.connect({
      onOpen() {
        if (socket === own) send({ since: lastSeq })
      },
      onMessage: (data) => socket === own && receive(data),
      onClose(code) {
        if (socket === own) lose(code)
      },
    })
    socket = own
  }

  function lose(code: number): void {
    socket = null
    forgetOthers()
    const wait = reconnectMs(REFUSED.has(code) ? Math.max(failures, SOON_TRIES) : failures, ports.random())
    failures++
    if (!polls) state.value = { kind: 'lost', nextTry: ports.now() + wait }
    stopRetry = ports.setTimer(code === SIGNED_OUT ? () => void askForSession() : connect, wait)
    if (failures >= TRIES_BEFORE_POLLING && !polls) void pollOn()
  }

  /** The session of the socket is over; the browser may have another one by now, after a change of the password or from another tab. */
  async function askForSession(): Promise<void> {
    const isSignedIn = await ports.poll(lastSeq).then(
      () => true,
      () => false,
    )
    if (socket || isClosed) return
    if (isSignedIn) connect()
    else lose(SIGNED_OUT)
  }

  /** Clears the other users, since without a connection it is not known when they leave. */
  function forgetOthers(): void {
    if (presentAt) ports.onMessage({ channel: 'presence', payload: { ...presentAt, users: [] } })
    presentAt = null
  }

  /** Polls until a socket is connected, while the page is visible. */
  async function pollOn(): Promise<void> {
    stopPolling()
    const own = {}
    polls = own
    if (!ports.isHidden()) {
      try {
        const { events = [], resync = false, seq } = await ports.poll(lastSeq)
        if (polls !== own) return
        lastSeq = seq
        for (const event of resync ? [{ channel: 'resync', payload: {} }] : events) ports.onMessage(event)
        state.value = { kind: 'polling' }
      } catch {
        if (polls !== own) return
        state.value = { kind: 'lost', nextTry: ports.now() + POLL_MS }
      }
    }
    stopTimer = ports.setTimer(() => void pollOn(), POLL_MS)
  }

  function stopPolling(): void {
    polls = null
    stopTimer?.()
    stopTimer = null
  }

  const stopPresent = effect(() => {
    const now = ports.present.value
    if (!isLive() || now === presentAt) return
    presentAt = now
    send({ present: now })
  })

  if (ports.connect) connect()
  else void pollOn()
  return {
    state,
    tryNow(isDoubtful = false) {
      if (isClosed) return
      if (polls) void pollOn()
      if (socket && !isDoubtful) return
      const old = socket
      socket = null
      forgetOthers()
      connect()
      old?.close()
    },
    close() {
      isClosed = true
      stopPresent()
      stopRetry?.()
      stopPolling()
      const old = socket
      socket = null
      old?.close()
    },
  }
}

/** Full jitter, so that not all clients reconnect at the same moment. */
export const reconnectMs = (failures: number, random: number): number =>
  FIRST_WAIT_MS +
  random * Math.min(FIRST_WAIT_MS * 2 ** failures, (failures < SOON_TRIES ? SOON_WAIT_MS : MAX_WAIT_MS) - FIRST_WAIT_MS)

function readMessage(data: unknown): ServerMessage | null {
  if (typeof data !== 'string') return null
  try {
    const message: unknown = JSON.parse(data)
    // An object with a channel is a message by contract; anything else is ignored.
    return typeof message === 'object' && message !== null && 'channel' in message ? (message as ServerMessage) : null
  } catch {
    return null
  }
}
