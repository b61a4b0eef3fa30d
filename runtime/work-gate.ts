import type { EnterOptions, WorkGate } from '../kernel/services.ts'

/** Requests of one subject: how many are at work, and those that wait, in the order they came. */
interface Turn {
  working: number
  readonly waiting: (() => void)[]
}

/** Lets `most` requests of a subject work at once and `queue` more wait for their turn, for `waitMs` at most. For one process. */
export function openWorkGate(most: number, queue: number, waitMs?: number): WorkGate {
  const turns = new Map<string, Turn>()

  function leave(subject: string, turn: Turn): void {
    const next = turn.waiting.shift()
    if (next === undefined) turn.working--
    else next()
    if (turn.working === 0) turns.delete(subject)
  }

  return {
    async enter(subject, options = {}) {
      if (options.signal?.aborted) return null
      const turn = turns.get(subject) ?? { working: 0, waiting: [] }
      turns.set(subject, turn)
      if (turn.working < most) turn.working++
      else if (turn.waiting.length >= queue) return null
      // A holder that leaves passes its place on, so the number at work does not change.
      else if (!(await waitFor(turn, { waitMs, ...options }))) return null
      return () => leave(subject, turn)
    },
  }
}

/** False if the turn did not come in time, or the wait was aborted. */
const waitFor = ({ waiting }: Turn, { waitMs, signal }: EnterOptions): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (hasTurn: boolean) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      resolve(hasTurn)
    }
    const begin = () => settle(true)
    const giveUp = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      settle(false)
    }
    waiting.push(begin)
    signal?.addEventListener('abort', giveUp)
    const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs).unref()
  })

interface SharedGate {
  /** Places for all subjects together; each subject has at most one. */
  readonly most: number
  /** How many wait for a place, of all subjects and of one. */
  readonly waiting: number
  readonly ownWaiting: number
  readonly waitMs: number
}

/** Lets one request of a subject work at a time, and few of all subjects. A subject with many requests waits for its own ones first. */
export function openSharedGate({ most, waiting, ownWaiting, waitMs }: SharedGate): WorkGate {
  const own = openWorkGate(1, ownWaiting, waitMs)
  const all = openWorkGate(most, waiting, waitMs)
  let [waits, leaving] = [0, 0]
  return {
    async enter(subject, options) {
      const leaveOwn = await own.enter(subject, options)
      if (leaveOwn === null) return null
      waits++
      const leaveAll = await all.enter('all', options).finally(() => waits--)
      if (leaveAll === null) {
        leaveOwn()
        return null
      }
      return () => {
        leaving = Math.max(0, leaving - 1)
        leaveAll()
        leaveOwn()
      }
    },
    isNeeded() {
      if (leaving >= waits) return false
      leaving++
      return true
    },
  }
}

/** Files that may wait, of one user and of all users per place, and for how long. */
const WAITING_FILES = 3
const WAITING_FOR_PLACE = 8
const FILE_WAIT_MS = 10_000

/** Lets one file of a subject be made or read at a time, and `most` of all subjects. */
export const openFileGate = (most: number, waitMs = FILE_WAIT_MS): WorkGate =>
  openSharedGate({ most, waiting: most * WAITING_FOR_PLACE, ownWaiting: WAITING_FILES, waitMs })
