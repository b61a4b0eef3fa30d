import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import { isNeverNull } from '../model/sorted-column.ts'
import { declaredConstraint, foreignKey, uniqueConstraint } from './constraints.ts'
import { indexesOf } from './indexes.ts'
import { linkTable } from './link-table.ts'
import {
  byName,
  type ColumnSpec,
  type ListedFields,
  type SchemaFeatures,
  type SchemaSpec,
  type TableSpec,
} from './spec.ts'

/** The tables a registry needs: one per model, one per many2many link. */
export function desiredSchema(
  registry: Registry,
  features: SchemaFeatures,
  sortedOf: ListedFields = () => [],
): SchemaSpec {
  const tables = new Map<string, TableSpec>()
  for (const model of registry.models.values())
    tables.set(model.table, modelTable(model, registry, features, sortedOf(model)))
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (field.relation?.kind !== 'many2many' || tables.has(field.relation.table)) continue
      if (field.compute !== null && !field.compute.stored) continue
      tables.set(field.relation.table, linkTable(model, field, field.relation, registry))
    }
  }
  return tables
}

/** Types that PostgreSQL's catalogue spells differently from their declaration. */
const CATALOGUE_TYPES: Readonly<Record<string, string>> = {
  'timestamptz(3)': 'timestamp(3) with time zone',
  timestamptz: 'timestamp with time zone',
  int: 'integer',
  int4: 'integer',
  int8: 'bigint',
  bool: 'boolean',
  float8: 'double precision',
}

const SYSTEM_DEFAULTS: Readonly<Record<string, string>> = { create_date: 'now()', write_date: 'now()', version: '1' }

function modelTable(model: Model, registry: Registry, features: SchemaFeatures, sorted: readonly string[]): TableSpec {
  const stored = [...model.fields.values()].filter((field) => field.column !== null)
  return {
    name: model.table,
    owner: `model ${model.name}`,
    columns: byName(stored.map(columnOf)),
    primaryKey: ['id'],
    constraints: byName([
      ...stored.filter((field) => field.unique).map((field) => uniqueConstraint(model, field)),
      ...[...model.constraints].map(([name, constraint]) => declaredConstraint(model, name, constraint)),
      ...stored.flatMap((field) => foreignKey(model, field, registry)),
    ]),
    indexes: byName(indexesOf(model, stored, registry, features, sorted)),
  }
}

function columnOf(field: Field): ColumnSpec {
  const declared = field.sqlType!
  const isBoolean = field.type.comparison === 'boolean'
  const identity = field.system && field.name === 'id'
  return {
    name: field.column!,
    type: CATALOGUE_TYPES[declared] ?? declared,
    notNull: isNeverNull(field),
    default: isBoolean ? 'false' : field.system ? (SYSTEM_DEFAULTS[field.name] ?? null) : null,
    identity,
    field,
  }
}
