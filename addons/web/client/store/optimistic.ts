import { batch } from '@preact/signals'
import type { Layered } from './layered.ts'
import type { RecordEntry, Values } from './records.ts'

/** A change to show at once: of the values of records, or of anything layered, such as the ids of a column. */
export type OptimisticChange = () => () => void

export const changeValues =
  (entries: readonly RecordEntry[], values: Values): OptimisticChange =>
  () => {
    const undo = entries.map((entry) => entry.values.push((known) => ({ ...known, ...values })))
    return () => {
      for (const take of undo) take()
    }
  }

export const changeLayered =
  <T>(layered: Layered<T>, change: (value: T) => T): OptimisticChange =>
  () =>
    layered.push(change)

/**
 * Shows changes at once and sends them. `settle` takes the server's answer into the base values before the layers go, so that
 * nothing flickers; when sending fails the layers go and the error is passed on.
 */
export async function runOptimistic<T>(
  changes: readonly OptimisticChange[],
  send: () => Promise<T>,
  settle: (answer: T) => void | Promise<void> = () => undefined,
): Promise<T> {
  const undo = batch(() => changes.map((change) => change()))
  const takeAway = () =>
    batch(() => {
      for (const take of undo) take()
    })
  try {
    const answer = await send()
    await settle(answer)
    return answer
  } finally {
    takeAway()
  }
}
