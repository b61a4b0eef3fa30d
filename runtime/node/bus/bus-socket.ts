import { WebSocket } from 'ws'
import { LIMITS } from '../../../kernel/limits.ts'
import type { Payload } from '../../../kernel/live/follow-outbox.ts'
import { type ClientMessage, parseClientMessage } from './client-message.ts'

/** Reasons for which the server closes a socket. 4401 tells the client that its session is over. */
export const CLOSED = {
  restart: { code: 1012, reason: 'The service restarts.' },
  policy: { code: 1008, reason: 'Not a message of this service, or too many of them.' },
  signedOut: { code: 4401, reason: 'The session is over.' },
} as const

export type CloseReason = (typeof CLOSED)[keyof typeof CLOSED]

export interface Message {
  readonly channel: string
  readonly payload: Payload
}

/**
 * A message encoded once for all sockets that get it. Of several messages only the last one carries the position after all of them, so that
 * a client which got only some requests all of them again. A message that is not from the log has no position.
 */
export class Frame {
  readonly #message: Message
  readonly #seq: string | null
  #plain: Buffer | undefined
  #last: Buffer | undefined

  constructor({ channel, payload }: Message, seq: string | null = null) {
    this.#message = { channel, payload }
    this.#seq = seq
  }

  get plain(): Buffer {
    this.#plain ??= Buffer.from(JSON.stringify(this.#message))
    return this.#plain
  }

  get last(): Buffer {
    if (this.#seq === null) return this.plain
    this.#last ??= Buffer.from(JSON.stringify({ ...this.#message, seq: this.#seq }))
    return this.#last
  }
}

export interface BusSocketEvents {
  /** If it rejects, the socket is cut: its client connects and asks again. */
  onMessage(message: ClientMessage): Promise<void>
  onClose(): Promise<void>
}

/** Unread bytes above which a socket gets only `resync`, and above which it is cut. */
const BEHIND_BYTES = 262_144
const CUT_BYTES = 1_048_576
const SECOND_MS = 1_000
const CLOSE_MS = 1_000

/** One open page of a signed-in user. */
export class BusSocket {
  readonly #socket: WebSocket
  readonly #leave: () => void
  #models: ReadonlyMap<string, ReadonlySet<number> | null> | null = null
  #isBehind = false
  #isAlive = true
  #hasAsked = false
  #held: (readonly Frame[])[] | null = null
  #second = 0
  #frames = 0

  constructor(socket: WebSocket, { onMessage, onClose }: BusSocketEvents) {
    this.#socket = socket
    socket.on('pong', () => {
      this.#isAlive = true
      if (this.#isFlooding()) this.close(CLOSED.policy)
    })
    // Answered here, because the package would buffer answers for a client that never reads them.
    socket.on('ping', () => {
      if (this.#isFlooding()) this.close(CLOSED.policy)
      else if (socket.bufferedAmount === 0) socket.pong()
    })
    socket.on('message', (data, isBinary) => {
      if (socket.readyState !== WebSocket.OPEN) return
      const message = isBinary || this.#isFlooding() ? null : parseClientMessage(String(data))
      // Replaying missed events is costly, so a connection may ask for it only once.
      const isRepeated = message?.since !== undefined && this.#hasAsked
      if (message === null || isRepeated) return this.close(CLOSED.policy)
      this.#hasAsked ||= message.since !== undefined
      if (message.subscribe) this.#models = new Map(message.subscribe.map((each) => [each.model, idsOf(each.ids)]))
      onMessage(message).catch(() => this.terminate())
    })
    // A broken frame or a lost connection; `close` follows.
    socket.on('error', () => {})
    let hasLeft = false
    this.#leave = () => {
      if (hasLeft) return
      hasLeft = true
      onClose().catch(() => undefined)
    }
    socket.on('close', this.#leave)
  }

  /** Whether the client subscribed to events like this; without any subscription it gets all. */
  wants({ model, id }: Payload): boolean {
    if (this.#models === null || typeof model !== 'string') return true
    const ids = this.#models.get(model)
    return ids !== undefined && (ids === null || typeof id !== 'number' || ids.has(id))
  }

  /** Sends messages together. One that does not read loses them and gets `resync` when it reads again. */
  send(frames: readonly Frame[]): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    if (this.#held) {
      if (this.#held.length < LIMITS.replayedEvents) this.#held.push(frames)
      else this.#isBehind = true
      return
    }
    const waiting = this.#socket.bufferedAmount
    this.#isBehind ||= waiting > BEHIND_BYTES
    if (waiting > CUT_BYTES) this.#socket.terminate()
    if (this.#isBehind) return
    frames.forEach((frame, i) => {
      this.#socket.send(i === frames.length - 1 ? frame.last : frame.plain, { binary: false })
    })
  }

  /** Holds messages back from now on. */
  hold(): void {
    this.#held ??= []
  }

  /** Sends `first`, then the messages held back. */
  release(first: readonly Frame[]): void {
    const kept = this.#held ?? []
    this.#held = null
    for (const frames of [first, ...kept]) if (frames.length > 0) this.send(frames)
  }

  /** Cuts the connection if its client reads nothing of the waiting messages. */
  cutUnread(): void {
    if (this.#socket.bufferedAmount > CUT_BYTES) this.#socket.terminate()
  }

  /** Whether it has lost messages. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Tells a socket that was behind, once it has read what was waiting, that it missed something. */
  catchUp(resync: Frame): void {
    if (!this.#isBehind || this.#socket.bufferedAmount > 0) return
    this.#isBehind = false
    this.send([resync])
  }

  /** Sends a ping; cuts the connection if the last one was not answered. */
  ping(): void {
    if (!this.#isAlive) this.#socket.terminate()
    this.#isAlive = false
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  /** Closes the socket, and cuts it if the client does not answer. Its messages are ignored from now on. */
  close({ code, reason }: CloseReason): void {
    this.#socket.close(code, reason)
    this.#leave()
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref()
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #isFlooding(): boolean {
    const now = performance.now()
    if (now - this.#second >= SECOND_MS) {
      this.#second = now
      this.#frames = 0
    }
    return ++this.#frames > LIMITS.socketFrames
  }
}

const idsOf = (ids: readonly number[] | undefined): ReadonlySet<number> | null => (ids ? new Set(ids) : null)
