import type { Caller } from '../auth/principal.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import type { Exchange, WorkKind } from '../serve/route.ts'
import { createEnv } from './create-env.ts'
import { inTransaction } from './transaction.ts'

export interface Locale {
  readonly lang?: string | undefined
  readonly tz?: string | undefined
}

/**
 * Runs `work` for a caller with an env of the given kind. Single-statement reads use no transaction, which would cost two
 * more statements.
 */
export function workAs<T>(
  { services, request, requestId, startedAt }: Exchange,
  { user, state }: Caller,
  kind: WorkKind,
  work: (env: Env) => Promise<T>,
  { lang = user.lang, tz = user.tz }: Locale = {},
): Promise<T> {
  const options = { services, state, user, requestId, now: startedAt, lang, tz }
  const { db, replica } = services.forRequest?.(request.signal, LIMITS.requestMs) ?? services
  if (kind === 'read') return work(createEnv({ ...options, tx: db }))
  if (kind === 'replica') return work(createEnv({ ...options, tx: replica }))
  return inTransaction(options, kind, work, db)
}
