import type { Env } from '../../../env.ts'
import { reporter } from '../../export/progress.ts'

/** Reports how many rows of an import are done. */
export type ReportProgress = (done: number, total: number) => void

/** Reports progress to the owner's screens with `import.progress` events. */
export function progressOf({ services, user }: Env, id: number): ReportProgress {
  const report = reporter(services, user.id, 'import.progress')
  return (done, total) => report({ id, done, total, state: 'running' })
}
