import { AppError } from '../../../kernel/errors.ts'
import type { Observation, Observe } from '../../../kernel/observation.ts'
import { whyOf } from './outage.ts'

export interface Refusals {
  /** Passes reports on to the log, except refusals for a reason that was logged a moment ago. */
  readonly observe: Observe
  /** Logs the refusals that were only counted so far. */
  close(): void
}

const PAUSE_MS = 10_000

/**
 * If the service cannot work, for example with all connections in use or a full disk, each refused request would add a line to the log.
 * Only the first refusal for a reason is logged as it is; further ones are logged every ten seconds, in one line with their number.
 */
export function gatherRefusals(log: Observe): Refusals {
  const told = new Map<string, { more: number; why: string; timer: NodeJS.Timeout }>()

  const sum = (reason: string): void => {
    const { more, why, timer } = told.get(reason)!
    clearTimeout(timer)
    told.delete(reason)
    if (more > 0) log({ kind: 'warning', text: `The same ${more === 1 ? 'once' : `${more} times`} more: ${why}` })
  }

  const begin = (reason: string): void => {
    const timer = setTimeout(() => {
      const { more } = told.get(reason)!
      sum(reason)
      if (more > 0) begin(reason)
    }, PAUSE_MS).unref()
    told.set(reason, { more: 0, why: '', timer })
  }

  const count = (observation: Observation & { kind: 'failure' }, { reason }: AppError): void => {
    const before = told.get(reason)
    if (before) {
      before.more++
      before.why = whyOf(observation.error)
      return
    }
    begin(reason)
    log(observation)
  }

  return {
    observe: (observation) => {
      if (observation.kind === 'failure' && isRefusal(observation.error)) count(observation, observation.error)
      else log(observation)
    },
    close: () => {
      for (const reason of [...told.keys()]) sum(reason)
    },
  }
}

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.code === 'UNAVAILABLE'
