import type { Env } from '../env.ts'
import { savepoint } from '../sql.ts'

/** Runs `work` so that its failure undoes its own rows and also what it had to tell others. */
export async function undoable<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const { messages, changes } = env.outbox
  const toldBefore = messages.length
  const changesBefore = [...changes].map(([model, records]) => [model, new Map(records)] as const)
  try {
    return await savepoint(env.tx, work)
  } catch (error) {
    messages.length = toldBefore
    changes.clear()
    for (const [model, records] of changesBefore) changes.set(model, records)
    throw error
  }
}
