import type { Services } from '../../services.ts'

const PAUSE_MS = 200

/** Sends how far the work is. */
export type Report = (payload: Readonly<Record<string, unknown>>) => void

/**
 * Reports progress to a user's screens outside of the working transaction, whose events would be seen only after its end. Reports are
 * rare and sent one at a time; the work neither waits for a report nor fails with it.
 */
export function reporter(services: Services, userId: number, channel: 'import.progress' | 'export.progress'): Report {
  let last = 0
  let isBusy = false
  return (payload) => {
    const now = services.clock().getTime()
    if (isBusy || now - last < PAUSE_MS) return
    last = now
    isBusy = true
    const written = services.db
      .insertInto('sys_outbox')
      .values({ channel, payload: JSON.stringify(payload), user_id: userId })
      .execute()
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
