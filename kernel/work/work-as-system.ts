import type { Env } from '../env.ts'
import { readEpoch } from '../epoch.ts'
import type { Exchange } from '../serve/route.ts'
import type { TransactionKind } from '../sql/transaction.ts'
import { asSystemUser } from './system-user.ts'
import { inTransaction } from './transaction.ts'

/** Runs `work` as the service itself, for requests of people who are not signed in. */
export async function workAsSystem<T>(
  { services, requestId, startedAt, address }: Exchange,
  kind: TransactionKind,
  work: (env: Env) => Promise<T>,
): Promise<T> {
  const state = await services.state.current(await readEpoch(services.db))
  const user = await asSystemUser(services.db)
  return inTransaction({ services, state, user, requestId, address, now: startedAt, sudo: true }, kind, work)
}

/** Runs `work` in the background, so that the response time reveals nothing about it. A failure is logged. */
export function runInBackground({ services, requestId }: Exchange, work: () => Promise<void>): void {
  const done = work().catch((error: unknown) => services.observe({ kind: 'failure', requestId, error }))
  services.background?.(done)
}
