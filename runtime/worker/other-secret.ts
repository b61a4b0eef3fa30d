import { isSecretOf, OTHER_SECRET } from '../../kernel/auth/secret-check.ts'
import type { Services } from '../../kernel/services.ts'

/** Logs once per isolate if its secret is not that of the database, as a process does when it starts. */
export function watchSecret(): (services: Services) => Promise<void> {
  let isAsked = false
  return async ({ db, secretKey, observe }) => {
    if (isAsked) return
    isAsked = true
    try {
      if (!(await isSecretOf(db, secretKey))) observe({ kind: 'warning', text: OTHER_SECRET })
    } catch {
      // The database is away or has no tables, which requests report; the next event checks again.
      isAsked = false
    }
  }
}
