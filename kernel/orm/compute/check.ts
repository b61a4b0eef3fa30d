import { asKernel, type Env } from '../../env.ts'
import { invalid } from '../../errors.ts'
import { checkName, needSteps } from '../../model/check-needs.ts'
import type { NeedRecord } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { slicesOf } from '../../slices.ts'
import { fillNeeds } from './needs.ts'
import { NeedStore, needTree, shapeRecords } from './needs-store.ts'
import { type Changed, isChanged } from './stale.ts'

/** A check without the types of its model; it gets rows with exactly the fields it needs. */
interface Check {
  readonly needs: readonly string[]
  readonly check?: (env: Env, row: NeedRecord) => Problems | undefined | Promise<Problems | undefined>
  readonly checkAll?: (env: Env, rows: readonly NeedRecord[]) => Problems | undefined | Promise<Problems | undefined>
}

type Problems = Readonly<Record<string, string>>

/** The registry stores the checks of all models as one type, so the cast restores what each check takes. */
const checksOf = (model: Model) => model.checks as readonly unknown[] as readonly Check[]

/** Runs the checks of written records whose needs the change touches; VALIDATION names every broken field. */
export async function runChecks(env: Env, model: Model, ids: readonly number[], changed: Changed): Promise<void> {
  const touched = checksOf(model).flatMap(({ needs }, index) => {
    const own = needSteps(env.registry.models, model, needs).filter(({ path }) => path.length === 0)
    // A check without needs runs on every change of the record.
    const isTouched = own.length === 0 || own.some(({ field }) => isChanged(model, changed, field))
    return isTouched ? [checkName(index)] : []
  })
  await runNamedChecks(env, model, ids, touched)
}

/** Runs checks by their `checkName`, at the end of the write that is under way for some of the records. */
export async function runNamedChecks(
  env: Env,
  model: Model,
  ids: readonly number[],
  names: readonly string[],
): Promise<void> {
  const named = checksOf(model).filter((_check, index) => names.includes(checkName(index)))
  await refuseBroken(env, model, env.openWrites.settled(model.name, ids, names), named)
}

async function refuseBroken(env: Env, model: Model, ids: readonly number[], checks: readonly Check[]): Promise<void> {
  if (checks.length === 0 || ids.length === 0) return
  const { registry } = env
  const store = new NeedStore()
  const needs = checks.flatMap((check) => check.needs)
  await fillNeeds(asKernel(env), store, model, ids, needTree(registry, model, needs))
  const problems: Record<string, string> = {}
  const add = (found: Problems = {}) => {
    for (const [field, problem] of Object.entries(found)) problems[field] ??= problem
  }
  for (const { needs, check, checkAll } of checks) {
    const rows: NeedRecord[] = []
    for await (const slice of slicesOf(env, ids)) {
      const shaped = shapeRecords(registry, store, model, slice, needTree(registry, model, needs))
      rows.push(...shaped)
      if (check) for (const row of shaped) add(await check(env, row))
    }
    if (rows.length > 0) add(await checkAll?.(env, rows))
  }
  if (Object.keys(problems).length > 0) throw invalid('check_failed', problems)
}
