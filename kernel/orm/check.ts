import type { Env } from '../env.ts'
import { invalid } from '../errors.ts'
import type { NeedRecord } from '../model/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import { needSteps } from './check-needs.ts'
import { type Changed, isChanged } from './compute-stale.ts'
import { fillNeeds } from './needs.ts'
import { NeedStore, needTree, shapeRecords } from './needs-store.ts'

/** A check once its model's own types are erased: it gets rows of exactly its needs. */
interface Check {
  readonly needs: readonly string[]
  readonly check: (env: Env, row: NeedRecord) => Problems | undefined | Promise<Problems | undefined>
}

type Problems = Readonly<Record<string, string>>

// The registry keeps the checks of all models in one shape.
const checksOf = (model: Model) => model.checks as readonly unknown[] as readonly Check[]

/** Runs the checks whose needs the change touches, over the records as they are now; VALIDATION names every broken field. */
export async function runChecks(env: Env, model: Model, ids: readonly number[], changed: Changed): Promise<void> {
  const touched = checksOf(model).filter(({ needs }) => {
    const own = needSteps(env.registry, model, needs).filter(({ path }) => path.length === 0)
    // A check without needs speaks of the record as such.
    return own.length === 0 || own.some(({ field }) => isChanged(model, changed, field))
  })
  await refuseBroken(env, model, ids, touched)
}
