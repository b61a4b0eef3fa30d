import type { Caller } from '../auth/principal.ts'
import type { Env } from '../env.ts'
import { fenceSubject } from '../fence.ts'
import { LIMITS } from '../limits.ts'
import type { Exchange, WorkKind } from '../serve/route.ts'
import type { Db } from '../sql/database.ts'
import { twiceIfEnded } from '../sql/transaction.ts'
import { createEnv } from './create-env.ts'
import { reasonOf } from './outdated.ts'
import { inTransaction } from './transaction.ts'

export interface WorkOptions {
  readonly lang?: string | undefined
  readonly tz?: string | undefined
  /** Time limit of the whole work, in milliseconds. */
  readonly ms?: number
}

/**
 * Runs `work` for a caller with an env of the given kind. Single-statement reads use no transaction, which would cost two
 * more statements.
 */
export async function workAs<T>(
  exchange: Exchange,
  caller: Caller,
  kind: WorkKind,
  work: (env: Env) => Promise<T>,
  options?: WorkOptions,
): Promise<T> {
  try {
    return await run(exchange, caller, kind, work, options)
  } catch (error) {
    throw await reasonOf(error, exchange.services, caller.state)
  }
}

function run<T>(
  { services, request, requestId, address, startedAt }: Exchange,
  { user, state, credential, fence, proof, parts }: Caller,
  kind: WorkKind,
  work: (env: Env) => Promise<T>,
  { lang = user.lang, tz = user.tz, ms = LIMITS.requestMs }: WorkOptions = {},
): Promise<T> {
  const writer = fenceSubject(credential)
  const options = { services, state, user, requestId, address, now: startedAt, lang, tz, parts, writer }
  const { signal } = request
  const db = services.forRequest?.(signal, ms, { trace: services.trace, ahead: proof }) ?? services.db
  let attempts = 0
  const attempt = async (env: Env): Promise<T> => {
    // The user may have lost a right while the earlier attempt waited.
    if (attempts++ > 0) await proof?.verify(env.tx)
    return work(env)
  }
  // Not a spread, for the sake of hidden classes (runtime/README.md).
  const read = (tx: Db) => attempt(createEnv(Object.assign({}, options, { tx })))
  if (kind === 'replica' && services.replica && fence && !wantsNewest(request))
    return services.replica.read({ primary: db, signal, fence }, read)
  // The statement that verifies the caller locks tables too.
  if (kind === 'read' || kind === 'replica') return twiceIfEnded(() => read(db))
  return inTransaction(options, kind, attempt, db)
}

/** A caller that has just learned of a change, for example over the bus, sends `Cache-Control: no-cache` to get a state that includes it. */
const wantsNewest = ({ headers }: Request): boolean => /\bno-cache\b/i.test(headers.get('cache-control') ?? '')
