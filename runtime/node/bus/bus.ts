import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../../kernel/limits.ts'
import { deliveriesOf } from '../../../kernel/live/deliveries.ts'
import { type LoggedEvent, type OutboxPage, readOutbox } from '../../../kernel/live/follow-outbox.ts'
import { type Position, parsePosition, positionText } from '../../../kernel/live/position.ts'
import type { Epoch, Services } from '../../../kernel/services.ts'
import type { RegistryHolder } from '../../registry-holder.ts'
import { type BusSocket, CLOSED, type CloseReason, Frame } from './bus-socket.ts'
import { type Follower, startFollower } from './follower.ts'
import { type OpenRecord, openPresence } from './presence.ts'
import { type BusReader, Readers } from './readers.ts'
import type { WakeUp } from './wake-up.ts'

export interface BusOptions {
  /** Services that use the connections of background work. */
  readonly services: Services
  readonly holder: RegistryHolder
  readonly wakeUp: Pick<WakeUp, 'isListening'>
  /** Names this process among those on the same database. */
  readonly process: string
  /** Called with every page of events before they are sent. */
  readonly onEvents: (events: readonly LoggedEvent[]) => void
}

export interface Bus {
  /** Reads the log at once. */
  wake(): void
  /** Reserves a place for one more socket of a session for a short time; false if there is no room. */
  reserve(place: SocketPlace): boolean
  /** Adds a socket, which from then on gets the events that its session may see. */
  join(socket: BusSocket, sessionId: string): Promise<Subscription | null>
  readonly size: number
  /** Asks every client to reconnect, to another process or later. */
  stop(): Promise<void>
}

/** The session and user a socket is reserved for. */
export interface SocketPlace {
  readonly sessionId: string
  readonly userId: number
}

/** A socket among the readers. */
export interface Subscription {
  /** Sends what was committed since a position that the client has seen. */
  replay(since: string): Promise<void>
  /** The record that is open on the page; null: none. */
  present(record: OpenRecord | null): void
  leave(): void
}

/** How often the log is read without a wake-up. */
const LOOK_MS = { listening: 1_000, busy: 50, quiet: 250, alone: 1_000 } as const
/** After events more are likely. */
const BUSY_MS = 2_000
const CHECK_MS = 500
export const PING_MS = 25_000
/** How often clients get the current position, so that after a short interruption they need not reload. */
const POSITION_MS = 60_000
/** Time for sending to many sockets before the rest of the service gets its turn. */
const TURN_MS = 5
/** Sockets between two checks of the clock. */
const AT_ONCE = 16
const CLOSE_MS = 1_000
const RESERVED_MS = 5_000
const CLOSE_LOOK_MS = 20

export async function openBus({ services, holder, wakeUp, process, onEvents }: BusOptions): Promise<Bus> {
  const readers = new Readers(services, holder.held ?? (await holder.latest()))
  const presence = openPresence({ services, readers, process })
  let eventsAt = Number.NEGATIVE_INFINITY
  let size = 0
  let isStopped = false

  const follower: Follower = startFollower({
    db: services.db,
    observe: services.observe,
    onPage,
    pauseMs() {
      if (wakeUp.isListening) return LOOK_MS.listening
      if (size === 0) return LOOK_MS.alone
      return performance.now() - eventsAt < BUSY_MS ? LOOK_MS.busy : LOOK_MS.quiet
    },
  })

  async function onPage({ events, position, isLost, epoch }: OutboxPage): Promise<void> {
    eventsAt = performance.now()
    onEvents(events)
    await followState(epoch)
    if (isLost) await inTurns(readers.sockets, (socket) => socket.send([note('resync', position)]))
    else {
      const started = performance.now()
      const messages = await send(readers.all, events, position)
      const oldest = Math.max(0, ...events.map(({ ageMs }) => ageMs))
      services.observe({ kind: 'bus', messages, ms: oldest + performance.now() - started })
    }
  }

  /** Loads the state of an event's epoch first, so that rights lost before the event do not count for it. */
  async function followState(epoch: Epoch): Promise<void> {
    const state = await holder.current(epoch)
    if (state.registry !== readers.state.registry || state.access !== readers.state.access)
      await readers.changeState(state)
  }

  /** Sends events to readers; returns the number of messages. */
  async function send(to: readonly BusReader[], events: readonly LoggedEvent[], position: Position): Promise<number> {
    const frames = await framesFor(to, events, position)
    let sent = 0
    await inTurns(frames, ([socket, those]) => {
      socket.send(those)
      sent += those.length
    })
    return sent
  }

  async function framesFor(
    to: readonly BusReader[],
    events: readonly LoggedEvent[],
    position: Position,
  ): Promise<ReadonlyMap<BusSocket, readonly Frame[]>> {
    const interested = to.filter(({ sockets }) => [...sockets].some((socket) => wantsOneOf(socket, events)))
    const byEnv = new Map(interested.map((reader) => [readers.envOf(reader), reader]))
    const seq = positionText(position)
    const frames = new Map<BusSocket, Frame[]>()
    for (const { channel, payload, readers: those } of await deliveriesOf([...byEnv.keys()], events)) {
      const frame = new Frame({ channel, payload }, seq)
      await inTurns(those, (env) => {
        for (const socket of byEnv.get(env)!.sockets)
          if (socket.wants(payload)) {
            const known = frames.get(socket)
            if (known) known.push(frame)
            else frames.set(socket, [frame])
          }
      })
    }
    return frames
  }

  const changeSize = (by: 1 | -1): void => {
    size += by
    services.observe({ kind: 'sockets', open: size })
  }

  const note = (channel: 'hello' | 'position' | 'replayed' | 'resync', position: Position) =>
    new Frame({ channel, payload: {} }, positionText(position))

  async function tellPosition(): Promise<void> {
    await follower.between(async (position) => {
      const frame = note('position', position)
      await inTurns(readers.sockets, (socket) => socket.send([frame]))
    })
  }

  async function check(): Promise<void> {
    await follower.between(() => readers.check())
    const behind: BusSocket[] = []
    await inTurns(readers.sockets, (socket) => {
      socket.cutUnread()
      if (socket.isBehind) behind.push(socket)
    })
    if (behind.length > 0)
      await follower.between(async (position) => {
        for (const socket of behind) socket.catchUp(note('resync', position))
      })
    await presence.refresh()
  }

  const timers = [
    repeat(CHECK_MS, check),
    repeat(PING_MS, () => inTurns(readers.sockets, (socket) => socket.ping())),
    repeat(POSITION_MS, tellPosition),
  ]

  /** Places of sockets that are being opened. */
  const reserved = new Set<SocketPlace>()
  /** Number of reserved places by session and by user. */
  const kept = new Map<SocketPlace[keyof SocketPlace], number>()
  const countKept = (place: SocketPlace, by: 1 | -1): void => {
    for (const owner of Object.values(place) as SocketPlace[keyof SocketPlace][]) {
      const count = (kept.get(owner) ?? 0) + by
      if (count === 0) kept.delete(owner)
      else kept.set(owner, count)
    }
  }
  const giveBack = (place: SocketPlace | undefined): void => {
    if (place && reserved.delete(place)) countKept(place, -1)
  }
  const reservedFor = (sessionId: string) => [...reserved].find((place) => place.sessionId === sessionId)

  const subscriptionOf = (reader: BusReader, socket: BusSocket): Subscription => ({
    async replay(since) {
      const from = parsePosition(since)
      const until = await follower.between(async (position) => {
        socket.hold()
        return position
      })
      // Other sockets do not wait for this replay; events for this one are held back meanwhile.
      const page = from && (await readOutbox(services.db, from, { until, max: LIMITS.replayedEvents }))
      const missed =
        page === null || page.isLost
          ? [note('resync', until)]
          : ((await framesFor([{ ...reader, sockets: new Set([socket]) }], page.events, until)).get(socket) ?? [])
      socket.release([...missed, note('replayed', until)])
    },
    present: (record) => presence.show(reader, socket, record),
    leave() {
      changeSize(-1)
      readers.remove(reader, socket)
      presence.hide(socket)
    },
  })

  return {
    wake: follower.wake,
    get size() {
      return size
    },
    reserve({ sessionId, userId }) {
      if (size + reserved.size >= LIMITS.sockets) return false
      const ofSession = readers.socketsOf(sessionId) + (kept.get(sessionId) ?? 0)
      const ofUser = readers.socketsOfUser(userId) + (kept.get(userId) ?? 0)
      if (ofSession >= LIMITS.sessionSockets || ofUser >= LIMITS.userSockets) return false
      const place: SocketPlace = { sessionId, userId }
      reserved.add(place)
      countKept(place, 1)
      // The place of a connection that does not become a socket is released.
      setTimeout(() => giveBack(place), RESERVED_MS).unref()
      return true
    },
    join: (socket, sessionId) =>
      follower.between(async (position) => {
        giveBack(reservedFor(sessionId))
        const reader = await readers.add(sessionId, socket)
        if (reader === null) return null
        changeSize(1)
        if (isStopped) socket.close(CLOSED.restart)
        else socket.send([note('hello', position)])
        return subscriptionOf(reader, socket)
      }),
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      await closeAll(readers, CLOSED.restart)
      await Promise.all([follower.stop(), presence.stop()])
    },
  }
}

const wantsOneOf = (socket: BusSocket, events: readonly LoggedEvent[]) =>
  events.some(({ payload }) => socket.wants(payload))

/** Runs work at intervals. Failures are ignored, and a run is skipped while the last one is still going, since the next does the same work. */
function repeat(ms: number, work: () => Promise<void>): NodeJS.Timeout {
  let isRunning = false
  return setInterval(() => {
    if (isRunning) return
    isRunning = true
    work()
      .catch(() => undefined)
      .finally(() => {
        isRunning = false
      })
  }, ms).unref()
}

/** Works on items in short turns, so that other work is not blocked. Items added or removed meanwhile may be left out. */
async function inTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let started = performance.now()
  let count = 0
  for (const item of items) {
    work(item)
    if (++count % AT_ONCE !== 0 || performance.now() - started < TURN_MS) continue
    await nextTurn()
    started = performance.now()
  }
}

/** Closes every socket, waits a short time for them to end, and cuts the others. */
async function closeAll(readers: Readers, reason: CloseReason): Promise<void> {
  await inTurns(readers.sockets, (socket) => socket.close(reason))
  for (const until = performance.now() + CLOSE_MS; readers.sockets.size > 0 && performance.now() < until; )
    await sleep(CLOSE_LOOK_MS)
  for (const socket of readers.sockets) socket.terminate()
}
