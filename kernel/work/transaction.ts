import type { Env } from '../env.ts'
import { constraintNamer } from '../schema/violations.ts'
import type { Db } from '../sql/database.ts'
import { translatePgError } from '../sql/pg-error.ts'
import { type TransactionKind, transact } from '../sql/transaction.ts'
import { createEnv, type EnvOptions } from './create-env.ts'
import { flushOutbox } from './flush-outbox.ts'

/**
 * Runs `work` in its own transaction: it is retried as a whole on a conflict, its events are written just before the commit,
 * and database errors become errors that name models and fields.
 */
export async function inTransaction<T>(
  options: Omit<EnvOptions, 'tx'>,
  kind: TransactionKind,
  work: (env: Env) => Promise<T>,
  db: Db = options.services.db,
): Promise<T> {
  const { services, state, requestId, user, lang = user.lang } = options
  try {
    return await transact(
      db,
      { kind, requestId },
      async (tx) => {
        const env = createEnv({ ...options, tx })
        const result = await work(env)
        await flushOutbox(env)
        return result
      },
      services,
    )
  } catch (error) {
    throw translatePgError(error, constraintNamer(state.registry, state.registry.translatorIn(lang)))
  }
}
