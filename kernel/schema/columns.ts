import type { SqlConstraint } from '../model/define.ts'
import type { Field, Relation } from '../model/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import { identifier } from '../sql.ts'
import { objectName } from './names.ts'

export interface ColumnSpec {
  readonly name: string
  /** As PostgreSQL itself spells it, so that it compares with the catalogue. */
  readonly type: string
  readonly notNull: boolean
  /** SQL text of a lasting default, null without one. */
  readonly default: string | null
  readonly identity: boolean
  /** Null in link tables. */
  readonly field: Field | null
}

export interface ConstraintSpec {
  readonly name: string
  readonly kind: 'unique' | 'check' | 'foreign'
  readonly columns: readonly string[]
  /** SQL after `ADD CONSTRAINT <name>`. */
  readonly definition: string
  /** Table a foreign key points at. */
  readonly target: string | null
  /** What breaking it means to a person. */
  readonly field: string | null
  readonly message: string | null
}

export interface IndexSpec {
  readonly name: string
  /** SQL after `CREATE INDEX <name> ON <table>`. */
  readonly definition: string
}

export interface TableSpec {
  readonly name: string
  /** `model sale.order` or `link sale.order.tag_ids`; kept as the table's comment. */
  readonly owner: string
  readonly columns: ReadonlyMap<string, ColumnSpec>
  readonly primaryKey: readonly string[]
  readonly constraints: ReadonlyMap<string, ConstraintSpec>
  readonly indexes: ReadonlyMap<string, IndexSpec>
}

export type SchemaSpec = ReadonlyMap<string, TableSpec>

/** What the database offers beyond plain PostgreSQL. */
export interface SchemaFeatures {
  /** `pg_trgm` and `svc_fold` are there, so that contains-searches can use an index. */
  readonly trigrams: boolean
}

/** The tables a registry needs: one per model, one per many2many link. */
export function desiredSchema(registry: Registry, features: SchemaFeatures): SchemaSpec {
  const tables = new Map<string, TableSpec>()
  for (const model of registry.models.values()) tables.set(model.table, modelTable(model, registry, features))
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (field.relation?.kind !== 'many2many' || tables.has(field.relation.table)) continue
      tables.set(field.relation.table, linkTable(model, field, field.relation, registry))
    }
  }
  return tables
}

/** Spelling of the types that PostgreSQL reports under another name than they are declared with. */
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

const byName = <T extends { readonly name: string }>(items: readonly T[]) =>
  new Map(items.map((item) => [item.name, item]))

const columnList = (columns: readonly string[]) => `(${columns.map((name) => identifier(name).text).join(', ')})`

/** Stored fields with a column of their own. */
export const storedFields = (model: Model): Field[] =>
  [...model.fields.values()].filter((field) => field.column !== null)

function modelTable(model: Model, registry: Registry, features: SchemaFeatures): TableSpec {
  const stored = storedFields(model)
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
    indexes: byName(indexesOf(model, stored, registry, features)),
  }
}

/** A computed value arrives after its row, so its column cannot refuse null. */
function columnOf(field: Field): ColumnSpec {
  const declared = field.sqlType!
  const isBoolean = field.type.comparison === 'boolean'
  const identity = field.system && field.name === 'id'
  return {
    name: field.column!,
    type: CATALOGUE_TYPES[declared] ?? declared,
    notNull: isBoolean || (field.required && field.compute === null),
    default: isBoolean ? 'false' : field.system ? (SYSTEM_DEFAULTS[field.name] ?? null) : null,
    identity,
    field,
  }
}

function uniqueConstraint({ table }: Model, field: Field): ConstraintSpec {
  return {
    name: objectName(table, field.name, 'key'),
    kind: 'unique',
    columns: [field.column!],
    definition: `UNIQUE ${columnList([field.column!])}`,
    target: null,
    field: field.name,
    message: `Another record already has this ${field.label}.`,
  }
}

function declaredConstraint({ table }: Model, name: string, constraint: SqlConstraint): ConstraintSpec {
  const shared = { target: null, message: constraint.message }
  if ('unique' in constraint) {
    const columns = constraint.unique
    const definition = `UNIQUE ${columnList(columns)}`
    const field = constraint.field ?? columns.at(-1) ?? null
    return { ...shared, name: objectName(table, name, 'key'), kind: 'unique', columns, definition, field }
  }
  const columns = constraint.fields ?? []
  const definition = `CHECK (${constraint.check})`
  return {
    ...shared,
    name: objectName(table, name, 'check'),
    kind: 'check',
    columns,
    definition,
    field: columns[0] ?? null,
  }
}

/**
 * The ORM deletes children before their parent, so a cascade never happens in SQL: there it is a last guard. The stamps of who
 * created and wrote a row have no key: they outlive the user, and every insert would pay for two more lookups.
 */
function foreignKey(model: Model, field: Field, registry: Registry): ConstraintSpec[] {
  const { relation } = field
  if (field.system) return []
  const target = relation?.kind === 'many2one' ? registry.model(relation.target) : undefined
  if (relation?.kind !== 'many2one' || target === undefined) return []
  const rule = relation.ondelete === 'set null' ? ' ON DELETE SET NULL' : ''
  return [
    {
      name: objectName(model.table, field.name, 'fkey'),
      kind: 'foreign',
      columns: [field.column!],
      definition: `FOREIGN KEY ${columnList([field.column!])} REFERENCES ${identifier(target.table).text} ("id")${rule}`,
      target: target.table,
      field: field.name,
      message: `${model.label}: ${field.label} must refer to an existing record.`,
    },
  ]
}

function indexesOf(model: Model, stored: readonly Field[], registry: Registry, features: SchemaFeatures): IndexSpec[] {
  const plain = stored.filter((field) => !field.unique && (field.index || isWalked(model, field, registry)))
  const searched = stored.filter((field) => model.searchFields.includes(field.name) && field.type.comparison === 'text')
  return [
    ...plain.map((field) => ({
      name: objectName(model.table, field.name, 'idx'),
      definition: columnList([field.column!]),
    })),
    ...orderIndex(model),
    ...(features.trigrams ? searched : []).map((field) => ({
      name: objectName(model.table, field.name, 'trgm'),
      definition: `USING gin (svc_fold(${identifier(field.column!).text}) gin_trgm_ops)`,
    })),
  ]
}

/** Serves pages in the model's own order, as far as it goes by columns of its own table. */
function orderIndex(model: Model): IndexSpec[] {
  const terms: string[] = []
  for (const { field: name, descending } of model.order) {
    const field = model.fields.get(name)
    if (!field || field.column === null || field.relation !== null) break
    const collation = field.type.comparison === 'text' ? ' COLLATE "und-x-icu"' : ''
    terms.push(`${identifier(field.column).text}${collation}${descending ? ' DESC' : ''}`)
  }
  if (terms.length === 0 || model.order[0]?.field === 'id') return []
  return [{ name: objectName(model.table, 'default', 'order'), definition: `(${terms.join(', ')})` }]
}

/** Whether records are looked up by this link: a tree, the other side of a one2many, children that go with their parent. */
function isWalked(model: Model, field: Field, registry: Registry): boolean {
  const { relation } = field
  if (relation?.kind !== 'many2one' || field.system) return false
  if (relation.ondelete === 'cascade' || model.parentField === field.name) return true
  for (const { relation: other } of registry.model(relation.target)?.fields.values() ?? []) {
    if (other?.kind === 'one2many' && other.target === model.name && other.inverse === field.name) return true
  }
  return false
}

type Link = Extract<Relation, { kind: 'many2many' }>

function linkTable(model: Model, { name }: Field, link: Link, registry: Registry): TableSpec {
  const side = (column: string, target: string | undefined): ConstraintSpec[] =>
    target === undefined
      ? []
      : [
          {
            name: objectName(link.table, column, 'fkey'),
            kind: 'foreign',
            columns: [column],
            definition: `FOREIGN KEY ${columnList([column])} REFERENCES ${identifier(target).text} ("id") ON DELETE CASCADE`,
            target,
            field: name,
            message: `${model.label}: ${name} must refer to existing records.`,
          },
        ]
  const column = (columnName: string): ColumnSpec => ({
    name: columnName,
    type: 'integer',
    notNull: true,
    default: null,
    identity: false,
    field: null,
  })
  return {
    name: link.table,
    owner: `link ${model.name}.${name}`,
    columns: byName([column(link.left), column(link.right)]),
    primaryKey: [link.left, link.right],
    constraints: byName([...side(link.left, model.table), ...side(link.right, registry.model(link.target)?.table)]),
    indexes: byName([{ name: objectName(link.table, link.right, 'idx'), definition: columnList([link.right]) }]),
  }
}
