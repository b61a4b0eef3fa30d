import type { WireStep } from '../../../../../kernel/view/wire.ts'
import type { Rpc } from '../../net/rpc.ts'
import { countRecords } from '../../store/queries.ts'

export interface Step extends WireStep {
  readonly isDone: boolean
}

/** The steps with their ticks, decided by existing records. A step whose request fails counts as open. */
export const loadSteps = (rpc: Rpc, steps: readonly WireStep[]): Promise<readonly Step[]> =>
  Promise.all(steps.map(async (step) => ({ ...step, isDone: await isDone(rpc, step) })))

async function isDone(rpc: Rpc, { done }: WireStep): Promise<boolean> {
  if (typeof done === 'boolean') return done
  return (await countRecords(rpc, done.model, done.domain).catch(() => 0)) >= done.least
}

/** Models whose records decide about ticks. */
export const modelsOfSteps = (steps: readonly WireStep[]): readonly string[] =>
  steps.flatMap(({ done }) => (typeof done === 'boolean' ? [] : [done.model]))
