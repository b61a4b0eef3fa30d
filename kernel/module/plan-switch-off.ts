import { STAMPED } from '../data/prepare.ts'
import type { Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { compileAddons } from './change.ts'
import { type Catalogue, dependencyOrder, dependentsOf, findAddon } from './graph.ts'
import { activeModules, type ModuleRow, presentModules, requirePresent } from './module-row.ts'
import { neededProblems, type PlanWords, rowOf, tableOfValues, wordsOf } from './plan-words.ts'
import { countSet } from './uninstall.ts'
import type { WireModuleChange, WireModulePlan } from './wire-modules.ts'

/** What switching a module off would do: what is hidden, which jobs wait, and that its records and values stay. */
export async function planSwitchOff(
  db: Db,
  catalogue: Catalogue,
  modules: ReadonlyMap<string, ModuleRow>,
  name: string,
  lang: string,
): Promise<WireModulePlan> {
  const { version } = requirePresent(modules, name)
  const addon = findAddon(catalogue, name)
  const registry = compileAddons(dependencyOrder(catalogue, presentModules(modules)))
  const words = wordsOf(registry, lang)
  const jobs = Object.keys(addon.jobs).map((job) => `${name}.${job}`)
  const changes: WireModuleChange[] = []
  for (const model of STAMPED)
    changes.push(told('hide', registry, model, await countOf(db, registry, model, name), words))
  changes.push(told('pause', registry, 'sys.cron', await waitingJobs(db, jobs), words))
  const rest = [
    ...(await ownRecords(db, registry, addon.models, words)),
    ...(await ownValues(db, registry, addon.models, words)),
  ]
  return {
    modules: [{ ...rowOf(modules, addon, words.t), to: version }],
    changes: [...changes, ...rest.toSorted((a, b) => b.count - a.count)].filter(({ count }) => count > 0),
    problems: neededProblems(catalogue, dependentsOf(catalogue, name, activeModules(modules)), words),
  }
}

type Declared = ReturnType<typeof findAddon>['models']

const told = (
  kind: 'hide' | 'pause' | 'stay',
  registry: Registry,
  model: string,
  count: number,
  { kind: label }: PlanWords,
): WireModuleChange => ({ kind, what: 'records', model: label(registry.model(model)!), names: [], count })

/** Number of records of a model that come from a module and are not hidden. */
async function countOf(db: Db, registry: Registry, model: string, module: string): Promise<number> {
  const { table, fields } = registry.model(model)!
  const shown = fields.has('active') ? sql`and active` : sql``
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from ${sql.table(table)} where module = ${module} ${shown}`.execute(db)
  return rows[0]?.rows ?? 0
}

async function waitingJobs(db: Db, handlers: readonly string[]): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from sys_cron where active and handler = any(${handlers}::text[])`.execute(db)
  return rows[0]?.rows ?? 0
}

async function ownRecords(
  db: Db,
  registry: Registry,
  declared: Declared,
  words: PlanWords,
): Promise<WireModuleChange[]> {
  const changes: WireModuleChange[] = []
  for (const { kind, name } of declared)
    if (kind === 'model')
      changes.push(told('stay', registry, name, await countSet(db, registry.model(name)!.table), words))
  return changes
}

/** Values of fields that it added to models of other modules. */
async function ownValues(
  db: Db,
  registry: Registry,
  declared: Declared,
  { t, kind: label }: PlanWords,
): Promise<WireModuleChange[]> {
  const changes: WireModuleChange[] = []
  for (const { kind, name, fields } of declared) {
    const model = registry.model(name)!
    if (kind !== 'extension') continue
    const names: string[] = []
    let count = 0
    for (const field of Object.keys(fields).map((each) => model.fields.get(each)!)) {
      const place = tableOfValues(model, field)
      if (place === null) continue
      names.push(t(field.label))
      count += await countSet(db, place.table, place.column)
    }
    changes.push({ kind: 'stay', what: 'fields', model: label(model), names, count })
  }
  return changes
}
