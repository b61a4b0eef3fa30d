import { isAdministrator } from '../access/administrator.ts'
import { changesRights } from '../access/rights-change.ts'
import type { Env } from '../env.ts'
import { RIGHTS_SUBJECT, raiseFences } from '../fence.ts'
import { constraintNamer } from '../schema/violations.ts'
import type { Db } from '../sql/database.ts'
import { sqlState, translatePgError } from '../sql/pg-error.ts'
import { type TransactionKind, transact } from '../sql/transaction.ts'
import { createEnv, type EnvOptions } from './create-env.ts'
import { flushOutbox } from './flush-outbox.ts'

/**
 * Runs `work` in its own transaction: it is retried as a whole on a conflict, its events are written just before the commit,
 * and database errors become errors that name models and fields. Where there is a read replica, fences are raised after the commit.
 */
export async function inTransaction<T>(
  options: Omit<EnvOptions, 'tx'>,
  kind: TransactionKind,
  work: (env: Env) => Promise<T>,
  db: Db = options.services.db,
): Promise<T> {
  const { services, state, requestId, user, lang = user.lang } = options
  const hasFences = services.hasFences === true && kind !== 'snapshot'
  let touchesRights = false
  try {
    const { result, changed, observations } = await transact(
      db,
      { kind, requestId },
      async (tx) => {
        // Not a spread, for the sake of hidden classes (runtime/README.md).
        const env = createEnv(Object.assign({}, options, { tx }))
        const result = await work(env)
        const models = [...env.outbox.changes.keys()]
        if (hasFences) touchesRights = changesRights(env)
        const changed = (await flushOutbox(env, { isLast: true })) ? models : null
        return { result, changed, observations: env.outbox.observations }
      },
      services,
    )
    if (hasFences) await fence(options, touchesRights)
    for (const observation of observations) services.observe(observation)
    if (changed !== null) services.changed?.(changed)
    return result
  } catch (error) {
    // The transaction may have been committed although its connection was lost.
    if (hasFences && sqlState(error) === UNKNOWN_OUTCOME) await fence(options, touchesRights)
    const isForAdministrator = isAdministrator({ state, user })
    throw translatePgError(
      error,
      constraintNamer(state.registry, state.registry.translatorIn(lang), { isForAdministrator }),
    )
  }
}

const UNKNOWN_OUTCOME = '40003'

/** Does not use the connection of the request, whose caller may have left. The transaction is committed, so a failure here does not fail it. */
async function fence({ services, writer }: Omit<EnvOptions, 'tx'>, touchesRights: boolean): Promise<void> {
  const subjects = [...(touchesRights ? [RIGHTS_SUBJECT] : []), ...(writer === undefined ? [] : [writer])]
  if (subjects.length === 0) return
  try {
    await raiseFences(services.db, subjects)
  } catch (error) {
    const text = `After a write no fence could be raised, so that a replica may show the state before it: ${String(error)}`
    services.observe({ kind: 'warning', text })
  }
}
