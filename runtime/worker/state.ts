import { coversEpoch } from '../../kernel/epoch.ts'
import type { Catalogue } from '../../kernel/module/graph.ts'
import { loadState, type ModuleState } from '../../kernel/module/state.ts'
import type { Epoch, StatePort } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { loadViewTables } from '../../kernel/view/load.ts'
import type { ViewTables } from '../../kernel/view/tables.ts'

export interface WorkerState extends StatePort {
  current(epoch: Epoch): Promise<ModuleState>
}

/**
 * The registry of an isolate, kept between requests. Requests may share the loaded value but not a pending load, since that uses one
 * request's connection; so each request loads it if it is too old.
 */
export function shareState(catalogue: Catalogue): (db: Db) => WorkerState {
  let held: ModuleState | null = null
  let heldViews: { readonly of: ModuleState; readonly tables: ViewTables } | null = null

  const load = async (db: Db, seen: Epoch): Promise<ModuleState> => {
    if (held !== null && coversEpoch(held.epoch, seen)) return held
    held = await loadState(db, catalogue, held)
    return held
  }

  const loadViews = async (db: Db, state: ModuleState): Promise<ViewTables> => {
    const known = heldViews
    if (known?.of.registry === state.registry && known.of.epoch.views >= state.epoch.views) return known.tables
    const tables = await loadViewTables(db, state.registry)
    heldViews = { of: state, tables }
    return tables
  }

  return (db) => ({
    async current(seen) {
      const state = await load(db, seen)
      return { ...state, views: () => loadViews(db, state) }
    },
  })
}
