import type { Env } from '../env.ts'
import { savepoint } from '../sql/transaction.ts'

/** Runs `work` in a savepoint; if it fails, its rows and its outbox events are rolled back. */
export async function undoable<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const { outbox } = env
  const mark = outbox.mark()
  try {
    return await savepoint(env.tx, work)
  } catch (error) {
    outbox.undo(mark)
    throw error
  } finally {
    outbox.unmark()
  }
}

/** Runs `work`, rolls back everything it did, and returns its result. */
export async function undone<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const done = new Done<T>()
  try {
    await undoable(env, async () => {
      done.result = await work()
      throw done
    })
  } catch (error) {
    if (error !== done) throw error
  }
  return done.result!
}

class Done<T> extends Error {
  result?: T
}
