import type { Env } from '../env.ts'
import { savepoint } from '../sql/transaction.ts'

/** Runs `work` in a savepoint; if it fails, its rows and its outbox events are rolled back. */
export async function undoable<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const { messages, changes, replaced } = env.outbox
  const messagesBefore = messages.length
  const changesBefore = copyOf(changes)
  const replacedBefore = copyOf(replaced)
  try {
    return await savepoint(env.tx, work)
  } catch (error) {
    messages.length = messagesBefore
    refill(changes, changesBefore)
    refill(replaced, replacedBefore)
    throw error
  }
}

type ByModel<T> = Map<string, Map<number, T>>

const copyOf = <T>(collected: ByModel<T>): ByModel<T> =>
  new Map([...collected].map(([model, records]) => [model, new Map(records)]))

function refill<T>(collected: ByModel<T>, before: ByModel<T>): void {
  collected.clear()
  for (const [model, records] of before) collected.set(model, records)
}
