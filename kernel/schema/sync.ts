import { conflict, refusal } from '../errors.ts'
import { counted } from '../i18n/counted.ts'
import type { Relation } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { runScript } from '../sql/ddl.ts'
import { type ConstraintNamer, translatePgError } from '../sql/pg-error.ts'
import { readCatalogue } from './catalogue.ts'
import { desiredSchema } from './columns.ts'
import { diffSchema, isLarge, isSlow } from './diff.ts'
import { type PlanStep, planSchema, type SchemaPlan } from './plan.ts'
import type { ListedFields } from './spec.ts'

export interface SyncOptions {
  /** Allow steps that lose stored values; otherwise such a step stops the sync. */
  readonly allowLoss?: boolean
}

/** The steps a sync would take now; only reads. With `listed` it also plans the indexes of list columns; without it those stay as they are. */
export async function planSync(db: Db, registry: Registry, listed?: ListedFields): Promise<SchemaPlan> {
  const live = await readCatalogue(db)
  const tableOf = (name: string) => live.tables.get(registry.model(name)?.table ?? '')
  // Lists cannot be sorted by links to a large table (`orm/record/sort-way.ts`).
  const isSorted = (model: Model, relation: Relation | null | undefined) =>
    relation ? !isLarge(tableOf(relation.target)) : isLarge(tableOf(model.name))
  const sortedOf: ListedFields = (model) =>
    listed && isSlow(tableOf(model.name))
      ? listed(model).filter((name) => isSorted(model, model.fields.get(name)?.relation))
      : []
  const desired = desiredSchema(registry, live.features, sortedOf)
  return planSchema(db, diffSchema(desired, live, listed !== undefined))
}

/**
 * Changes the model tables to what the registry declares, inside the caller's transaction. A second run finds nothing to do. Tables and
 * columns that are no longer declared stay.
 */
export async function syncSchema(tx: Db, registry: Registry, options: SyncOptions = {}): Promise<SchemaPlan> {
  const plan = await planSync(tx, registry)
  const losses = options.allowLoss ? [] : plan.steps.filter((step) => step.loss === 'drops-data').map(describeLoss)
  const problems = [...plan.problems, ...losses]
  if (problems.length > 0)
    throw conflict('schema_refused', `The schema cannot be changed:\n${problems.join('\n')}`, { problems })
  try {
    await runScript(tx, plan.steps.map((step) => step.sql).join(';\n'))
  } catch (error) {
    throw translatePgError(error, brokenRows)
  }
  return plan
}

const describeLoss = (step: PlanStep) =>
  `${step.table}.${step.target}: ${step.kind} would lose data in up to ${counted(step.rows, 'row')}; allow that explicitly.`

/** Names table and constraint, unlike errors of requests, because the reader is the person who installs the module. */
const brokenRows: ConstraintNamer = ({ table, constraint, column }) => ({
  refuse: (...about) => refusal('CONFLICT', 'schema_refused', ...about),
  message: `The schema cannot be changed:\nrows of ${table ?? 'a table'} break ${constraint ?? column ?? 'a rule'}.`,
})
