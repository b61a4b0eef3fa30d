import type { Catalogue } from '../../kernel/module/graph.ts'
import { loadState, type ModuleState, readEpoch, reloadAccess } from '../../kernel/module/state.ts'
import type { StatePort } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql.ts'

/**
 * The registry of an isolate, kept between requests. Requests may share the finished value but not the loading of it, since
 * that runs on one request's connection; so each loads what it finds too old.
 */
export function shareState(catalogue: Catalogue): (db: Db) => StatePort {
  let held: ModuleState | null = null
  return (db) => ({
    async current(seen) {
      if (held !== null && held.epoch.modules >= seen.modules && held.epoch.access >= seen.access) return held
      const epoch = await readEpoch(db)
      held =
        held?.epoch.modules === epoch.modules
          ? await reloadAccess(db, held, epoch)
          : await loadState(db, catalogue, epoch)
      return held
    },
  })
}
