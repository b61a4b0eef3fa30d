import { xmlidsOf } from '../data/xmlid.ts'
import type { Model, Registry } from '../model/registry.ts'
import { desiredSchema } from '../schema/columns.ts'
import type { SchemaPlan } from '../schema/plan.ts'
import { planSync } from '../schema/sync.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import type { Addon } from './addon.ts'
import { compileAddons } from './change.ts'
import { type Catalogue, dependencyOrder, dependentsOf, findAddon, installClosure } from './graph.ts'
import { refuseMissing } from './missing.ts'
import { type ModuleRow, presentModules, readModules } from './module-row.ts'
import { type DataFate, planData } from './plan-data.ts'
import { planSwitchOff } from './plan-switch-off.ts'
import { neededProblems, type PlanWords, rowOf, tableOfValues, wordsOf } from './plan-words.ts'
import { listRestorable } from './restorable.ts'
import { COUNTING, changeOf, countSet } from './uninstall.ts'
import type { WireChangeKind, WireModuleChange, WireModulePlan, WirePlannedAction } from './wire-modules.ts'

/** What a change of modules would do, in the language of the reader; only an update may name several modules. Reads only. */
export async function planChange(
  db: Db,
  catalogue: Catalogue,
  names: readonly string[],
  action: WirePlannedAction,
  lang: string,
): Promise<WireModulePlan> {
  const modules = await readModules(db)
  refuseMissing(modules, catalogue)
  for (const name of names) findAddon(catalogue, name)
  if (action === 'uninstall') return planUninstall(db, catalogue, modules, names[0]!, lang)
  if (action === 'deactivate') return planSwitchOff(db, catalogue, modules, names[0]!, lang)
  return planLoad(db, catalogue, modules, names, action, lang)
}

async function planLoad(
  db: Db,
  catalogue: Catalogue,
  modules: ReadonlyMap<string, ModuleRow>,
  names: readonly string[],
  action: 'install' | 'update',
  lang: string,
): Promise<WireModulePlan> {
  const present = presentModules(modules)
  const addons = action === 'install' ? installClosure(catalogue, present, names) : dependencyOrder(catalogue, present)
  const chosen = addons.filter(({ name }) => (action === 'install' ? !present.includes(name) : names.includes(name)))
  const registry = compileAddons(addons)
  const words = wordsOf(registry, lang)
  const known = await knownFields(db)
  const plan = await planSync(db, registry)
  const back = await restoredData(db, registry, words)
  return {
    modules: chosen.map((addon) => rowOf(modules, addon, words.t)),
    changes: [
      ...valueChanges(registry, plan, words),
      ...(await goneFields(db, registry, known, words)),
      ...back,
      ...newModels(registry, known, words),
      ...newFields(registry, known, words),
      ...(await dataChanges(db, chosen, registry, known, words)),
    ],
    problems: plan.problems,
  }
}

/** Labels of the fields that the database has, by model and name. */
type KnownFields = ReadonlyMap<string, ReadonlyMap<string, string>>

async function knownFields(db: Db): Promise<KnownFields> {
  const { rows } = await sql<{ model: string; fields: Record<string, string> }>`
    select model, json_object_agg(name, label) as fields from sys_field group by model`.execute(db)
  return new Map(rows.map(({ model, fields }) => [model, new Map(Object.entries(fields))]))
}

function newModels(registry: Registry, known: KnownFields, { kind }: PlanWords): WireModuleChange[] {
  const models = [...registry.models.values()].filter((model) => !known.has(model.name))
  if (models.length === 0) return []
  return [{ kind: 'add', what: 'models', model: '', names: models.map(kind), count: models.length }]
}

function newFields(registry: Registry, known: KnownFields, { t, kind }: PlanWords): WireModuleChange[] {
  return [...registry.models.values()].flatMap((model) => {
    const had = known.get(model.name)
    const fields = had === undefined ? [] : [...model.fields.values()].filter(({ name }) => !had.has(name))
    if (fields.length === 0) return []
    const names = fields.map(({ label }) => t(label))
    return [{ kind: 'add', what: 'fields', model: kind(model), names, count: fields.length }]
  })
}

/** Fields that are no longer declared; their columns stay in the database, unused. */
async function goneFields(
  db: Db,
  registry: Registry,
  known: KnownFields,
  { t, kind }: PlanWords,
): Promise<WireModuleChange[]> {
  const changes: WireModuleChange[] = []
  for (const [name, fields] of known) {
    const model = registry.model(name)
    const gone = model === undefined ? [] : [...fields].filter(([field]) => !model.fields.has(field))
    if (model === undefined || gone.length === 0) continue
    const names = gone.map(([, label]) => t(label))
    changes.push({
      kind: 'aside',
      what: 'fields',
      model: kind(model),
      names,
      count: await valuesOf(
        db,
        model,
        gone.map(([field]) => field),
      ),
    })
  }
  return changes
}

/** How many values are set in those of the columns that the table has. */
async function valuesOf(db: Db, { table }: Model, columns: readonly string[]): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and column_name = any(${columns}::text[])`.execute(
    db,
  )
  let values = 0
  for (const { name } of rows) values += await countSet(db, table, name)
  return values
}

const VALUES: Readonly<Record<string, WireChangeKind>> = { rewrite: 'rewrite', 'drops-data': 'lose' }

function valueChanges(registry: Registry, { steps }: SchemaPlan, { t, kind }: PlanWords): WireModuleChange[] {
  const schema = desiredSchema(registry, { trigrams: false })
  return steps.flatMap(({ loss, table, target, rows }) => {
    const field = target === null ? undefined : schema.get(table)?.columns.get(target)?.field
    const model = field && registry.model(field.model)
    const how = VALUES[loss]
    if (how === undefined || !field || !model || rows === 0) return []
    return [{ kind: how, what: 'fields', model: kind(model), names: [t(field.label)], count: rows }]
  })
}

/** The quarantined data of an earlier uninstall that this install restores. */
async function restoredData(db: Db, registry: Registry, { t, kind }: PlanWords): Promise<WireModuleChange[]> {
  return (await listRestorable(db, registry)).map(({ model, fields, count }) => ({
    kind: 'back',
    what: fields.length === 0 ? 'records' : 'fields',
    model: kind(model),
    names: fields.map(({ label }) => t(label)),
    count,
  }))
}

const FATES: readonly DataFate[] = ['remove', 'keep', 'change', 'add']

async function dataChanges(
  db: Db,
  addons: readonly Addon[],
  registry: Registry,
  known: KnownFields,
  { kind }: PlanWords,
): Promise<WireModuleChange[]> {
  // Tables that the change itself creates have no rows yet.
  const tableOf = (model: string) => (known.has(model) ? registry.model(model)?.table : undefined)
  const counts = new Map<string, Record<DataFate, number>>()
  for (const addon of addons)
    for (const [model, more] of await planData(db, addon, tableOf)) {
      const sum = counts.get(model) ?? { add: 0, change: 0, keep: 0, remove: 0 }
      for (const fate of FATES) sum[fate] += more[fate]
      counts.set(model, sum)
    }
  return FATES.flatMap((fate) =>
    [...counts].flatMap(([name, { [fate]: count }]): WireModuleChange[] => {
      const model = registry.model(name)
      if (count === 0 || model === undefined) return []
      return [{ kind: fate, what: 'records', model: kind(model), names: [], count }]
    }),
  )
}

async function planUninstall(
  db: Db,
  catalogue: Catalogue,
  modules: ReadonlyMap<string, ModuleRow>,
  name: string,
  lang: string,
): Promise<WireModulePlan> {
  const { addon, before, after } = changeOf(catalogue, modules, name)
  const words = wordsOf(before, lang)
  const changes: WireModuleChange[] = []
  for (const model of before.models.values()) {
    const rest = after.model(model.name)
    if (rest === undefined) {
      const count = await countSet(db, model.table)
      changes.push({ kind: 'aside', what: 'records', model: words.kind(model), names: [], count })
      continue
    }
    const gone = [...model.fields.values()].filter(
      (field) => !rest.fields.has(field.name) && tableOfValues(model, field),
    )
    if (gone.length === 0) continue
    let count = 0
    for (const field of gone) {
      const { table, column } = tableOfValues(model, field)!
      count += await countSet(db, table, column)
    }
    const names = gone.map(({ label }) => words.t(label))
    changes.push({ kind: 'aside', what: 'fields', model: words.kind(model), names, count })
  }
  const records = new Map<string, number>()
  for (const { model } of await xmlidsOf(db, name))
    if (after.model(model) && !(changes.length > 0 && COUNTING.has(model)))
      records.set(model, (records.get(model) ?? 0) + 1)
  const needing = dependentsOf(catalogue, name, presentModules(modules))
  return {
    modules: [{ ...rowOf(modules, addon, words.t), to: null }],
    changes: [
      ...changes.toSorted((a, b) => b.count - a.count),
      ...[...records].map(([model, count]): WireModuleChange => {
        return { kind: 'remove', what: 'records', model: words.kind(after.model(model)!), names: [], count }
      }),
    ],
    problems: neededProblems(catalogue, needing, words),
  }
}
