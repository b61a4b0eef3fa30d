import type { WorkGate } from '../kernel/services.ts'

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
    async enter(subject) {
      const turn = turns.get(subject) ?? { working: 0, waiting: [] }
      turns.set(subject, turn)
      if (turn.working < most) turn.working++
      else if (turn.waiting.length >= queue) return null
      // Whoever leaves hands over the place, so the number at work stays as it is.
      else if (!(await waitFor(turn, waitMs))) return null
      return () => leave(subject, turn)
    },
  }
}

/** False if the turn did not come in time. */
const waitFor = ({ waiting }: Turn, waitMs: number | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    const begin = () => {
      clearTimeout(timer)
      resolve(true)
    }
    waiting.push(begin)
    const timer =
      waitMs === undefined
        ? undefined
        : setTimeout(() => {
            waiting.splice(waiting.indexOf(begin), 1)
            resolve(false)
          }, waitMs).unref()
  })

/** Exports of one user that wait for their turn, of all users for each place, and how long. */
const WAITING_EXPORTS = 3
const WAITING_FOR_PLACE = 8
const EXPORT_WAIT_MS = 10_000

/** Lets one export of a subject run at a time, and `most` of all subjects. Each holds a connection for as long as its caller reads. */
export function openExportGate(most: number, waitMs = EXPORT_WAIT_MS): WorkGate {
  const own = openWorkGate(1, WAITING_EXPORTS, waitMs)
  const all = openWorkGate(most, most * WAITING_FOR_PLACE, waitMs)
  return {
    async enter(subject) {
      const leaveOwn = await own.enter(subject)
      if (leaveOwn === null) return null
      const leaveAll = await all.enter('all')
      if (leaveAll === null) {
        leaveOwn()
        return null
      }
      return () => {
        leaveAll()
        leaveOwn()
      }
    },
  }
}
