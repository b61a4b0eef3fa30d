import type { WorkGate } from '../kernel/services.ts'

/** Requests of one subject: how many are at work, and those that wait, in the order they came. */
interface Turn {
  working: number
  readonly waiting: (() => void)[]
}

/** Lets `most` requests of a subject work at once and `queue` more wait for their turn. For one process. */
export function openWorkGate(most: number, queue: number): WorkGate {
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
      else await new Promise<void>((resolve) => turn.waiting.push(resolve))
      return () => leave(subject, turn)
    },
  }
}

/** Exports of one user that wait for their turn. */
const WAITING_EXPORTS = 3

/** Lets one export of a subject run at a time, and `most` of all subjects. Each holds a connection for as long as its caller reads. */
export function openExportGate(most: number): WorkGate {
  const own = openWorkGate(1, WAITING_EXPORTS)
  const all = openWorkGate(most, Number.POSITIVE_INFINITY)
  return {
    async enter(subject) {
      const leaveOwn = await own.enter(subject)
      if (leaveOwn === null) return null
      const leaveAll = await all.enter('all')
      return () => {
        leaveAll?.()
        leaveOwn()
      }
    },
  }
}
