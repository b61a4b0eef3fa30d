import type { Env } from '../../env.ts'
import { sql } from '../../sql/sql.ts'

const PAUSE_MS = 200

/** Says how far an import is. */
export type ReportProgress = (done: number, total: number) => void

/**
 * Reports progress to the owner's screens with `import.progress` events. The transaction of the import shows nothing before its end, so
 * they are written beside it: seldom, one at a time, and without the import waiting for them or failing with them.
 */
export function progressOf({ services, user }: Env, id: number): ReportProgress {
  let last = 0
  let isBusy = false
  return (done, total) => {
    const now = services.clock().getTime()
    if (isBusy || now - last < PAUSE_MS) return
    last = now
    isBusy = true
    const payload = JSON.stringify({ id, done, total, state: 'running' })
    const written =
      sql`insert into sys_outbox (channel, payload, user_id) values ('import.progress', ${payload}::jsonb, ${user.id})`
        .execute(services.db)
        .then(
          () => services.changed?.([]),
          () => undefined,
        )
        .finally(() => {
          isBusy = false
        })
    services.background?.(written)
  }
}
