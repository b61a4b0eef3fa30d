import { findChangedSessions, findSessionUsers, type SessionUser } from '../../../kernel/auth/principal.ts'
import type { Env } from '../../../kernel/env.ts'
import { OWN_REQUEST } from '../../../kernel/own-request.ts'
import type { KernelState, Services } from '../../../kernel/services.ts'
import { createEnv } from '../../../kernel/work/create-env.ts'
import { type BusSocket, CLOSED } from './bus-socket.ts'

/** A session with open sockets. */
export interface BusReader {
  readonly sessionId: string
  readonly sockets: Set<BusSocket>
  /** The user as last read; replaced when rights or companies change. */
  session: SessionUser
}

/** Sessions read by one statement. */
const AT_ONCE = 1_000

/** The sessions that listen to this process. What reads users is called in the turns of the follower, one after the other. */
export class Readers {
  readonly #services: Services
  readonly #readers = new Map<string, BusReader>()
  readonly #sockets = new Set<BusSocket>()
  #state: KernelState

  constructor(services: Services, state: KernelState) {
    this.#services = services
    this.#state = state
  }

  get state(): KernelState {
    return this.#state
  }

  get all(): readonly BusReader[] {
    return [...this.#readers.values()]
  }

  get sockets(): ReadonlySet<BusSocket> {
    return this.#sockets
  }

  socketsOf(sessionId: string): number {
    return this.#readers.get(sessionId)?.sockets.size ?? 0
  }

  socketsOfUser(userId: number): number {
    let count = 0
    for (const { session, sockets } of this.#readers.values()) if (session.user.id === userId) count += sockets.size
    return count
  }

  /** Adds a socket to its session; null when the session has ended meanwhile. */
  async add(sessionId: string, socket: BusSocket): Promise<BusReader | null> {
    const known = this.#readers.get(sessionId)
    if (known) {
      known.sockets.add(socket)
      this.#sockets.add(socket)
      return known
    }
    for (;;) {
      const found = await findSessionUsers(this.#services, [sessionId])
      const session = found?.users.get(sessionId)
      if (!found || !session) return null
      if (found.state.access !== this.#state.access) {
        await this.changeState(found.state)
        continue
      }
      const reader: BusReader = { sessionId, session, sockets: new Set([socket]) }
      this.#readers.set(sessionId, reader)
      this.#sockets.add(socket)
      return reader
    }
  }

  remove({ sessionId, sockets }: BusReader, socket: BusSocket): void {
    sockets.delete(socket)
    this.#sockets.delete(socket)
    if (sockets.size === 0) this.#readers.delete(sessionId)
  }

  /** The rights of a reader at this moment. */
  envOf({ session: { user } }: Pick<BusReader, 'session'>): Env {
    const services = this.#services
    return createEnv({
      services,
      state: this.#state,
      tx: services.db,
      user,
      requestId: OWN_REQUEST.bus,
      now: services.clock(),
    })
  }

  /**
   * Rights may have changed: reads the users of all sessions again, and takes them over at once with the state they belong to. Groups of
   * one state and access lines of another could show an event that neither of them shows.
   */
  async changeState(state: KernelState): Promise<void> {
    const asked = [...this.#readers.keys()]
    const users = new Map<string, SessionUser>()
    for (let at = 0; at < asked.length; at += AT_ONCE) {
      const found = await findSessionUsers(this.#services, asked.slice(at, at + AT_ONCE))
      if (found && found.state.access !== state.access) return this.changeState(found.state)
      for (const [id, user] of found?.users ?? []) users.set(id, user)
    }
    this.#state = state
    this.#take(asked, users)
  }

  /** Ends the sockets of sessions that are over, and follows a change of companies. */
  async check(): Promise<void> {
    const known = [...this.#readers.values()].map(({ sessionId, session }) => [sessionId, session] as const)
    for (let at = 0; at < known.length; at += AT_ONCE)
      await this.#reload(await findChangedSessions(this.#services, new Map(known.slice(at, at + AT_ONCE))))
  }

  /** The users of at most `AT_ONCE` sessions. */
  async #reload(asked: readonly string[]): Promise<void> {
    if (asked.length === 0) return
    const found = await findSessionUsers(this.#services, asked)
    if (found && found.state.access !== this.#state.access) await this.changeState(found.state)
    else this.#take(asked, found?.users ?? new Map())
  }

  /** Sessions that were asked for and not found are over. */
  #take(asked: readonly string[], users: ReadonlyMap<string, SessionUser>): void {
    for (const id of asked) {
      const reader = this.#readers.get(id)
      const session = users.get(id)
      if (reader === undefined) continue
      if (session === undefined) for (const socket of reader.sockets) socket.close(CLOSED.signedOut)
      else reader.session = session
    }
  }
}
