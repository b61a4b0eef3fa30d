import { coversEpoch, readEpoch } from '../kernel/epoch.ts'
import type { Registry } from '../kernel/model/registry.ts'
import { describeUnfit } from '../kernel/module/declared.ts'
import type { Catalogue } from '../kernel/module/graph.ts'
import { loadState, type ModuleState } from '../kernel/module/state.ts'
import type { Observe } from '../kernel/observation.ts'
import type { Epoch, StatePort } from '../kernel/services.ts'
import type { Db } from '../kernel/sql/database.ts'

export interface RegistryHolder extends StatePort {
  current(epoch: Epoch): Promise<ModuleState>
  /** The state for the current epoch of the database, for work that no request started; a load may take the registry `compiled` from this catalogue. */
  latest(compiled?: Registry): Promise<ModuleState>
  /** The state that was loaded last, without a query. */
  readonly held: ModuleState | null
}

/**
 * One process's registry, access tables and views. They are replaced as a whole when a request has seen a newer epoch; requests that come
 * during the load wait for it, and older requests get the newer state, which grants only what the database grants now.
 */
export function holdRegistry(db: Db, catalogue: Catalogue, observe: Observe): RegistryHolder {
  let held: ModuleState | null = null
  let loading: Promise<ModuleState> | null = null
  const known: NonNullable<StatePort['known']> = new Map()

  const load = async (compiled?: Registry): Promise<ModuleState> => {
    const before = held
    held = await loadState(db, catalogue, before, compiled)
    // Remembered callers hold the old state.
    known.clear()
    if (held.registry !== before?.registry) {
      observe({ kind: 'registry', epoch: held.epoch.modules, modules: held.registry.addons })
      const text = describeUnfit(held)
      if (text !== null) observe({ kind: 'warning', text })
    }
    return held
  }

  const current = async (epoch: Epoch, compiled?: Registry): Promise<ModuleState> => {
    // A running load may have begun before this epoch was committed and be too old; the next one cannot be.
    for (let tries = 0; ; tries++) {
      if (held !== null && (tries === 2 || coversEpoch(held.epoch, epoch))) return held
      loading ??= load(compiled).finally(() => {
        loading = null
      })
      await loading
    }
  }

  return {
    known,
    current,
    latest: async (compiled) => current(await readEpoch(db), compiled),
    get held() {
      return held
    },
  }
}
