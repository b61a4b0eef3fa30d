import type { Db } from '../sql/database.ts'
import { identifier, literal } from '../sql/ddl.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { castOf } from './casts.ts'
import { MARK } from './catalogue.ts'
import { inStorageOrder } from './column-order.ts'
import { NULL_EQUAL } from './constraints.ts'
import type { Difference, LaterIndex, Orphan, SchemaDiff } from './diff.ts'
import type { ColumnSpec, ConstraintSpec, IndexSpec, TableSpec } from './spec.ts'
import { staticDefault } from './static-default.ts'

/** safe: no stored value changes. rewrite: values change form but nothing is lost. drops-data: something is lost. */
export type LossClass = 'safe' | 'rewrite' | 'drops-data'

export type LockKind = 'none' | 'SHARE' | 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE'

export interface PlanStep {
  readonly kind: Difference['kind']
  readonly table: string
  /** The column, constraint or index it is about; null for a whole table. */
  readonly target: string | null
  readonly loss: LossClass
  /** Rows whose values change. */
  readonly rows: number
  readonly lock: LockKind
  readonly sql: string
}

export interface LaterStep extends PlanStep {
  /** Each runs outside a transaction. */
  readonly statements: readonly string[]
}

export interface SchemaPlan {
  readonly steps: readonly PlanStep[]
  /** Indexes of large tables, which are built after the change while the service works (`later-indexes.ts`). */
  readonly later: readonly LaterStep[]
  readonly orphans: readonly Orphan[]
  /** Why the plan cannot run, one sentence each; empty when it can. */
  readonly problems: readonly string[]
}

type Planned = PlanStep | { readonly problem: string }

/** Turns differences into statements and counts the rows that each would change. Changes nothing. */
export async function planSchema(db: Db, { differences, later, orphans }: SchemaDiff): Promise<SchemaPlan> {
  const created = new Set(differences.flatMap((item) => (item.kind === 'create table' ? [item.table.name] : [])))
  const added = new Set(
    differences.flatMap((item) => (item.kind === 'add column' ? [`${item.table.name}.${item.column.name}`] : [])),
  )
  const facts: Facts = { db, created, added }
  const planned: Planned[] = []
  for (const difference of differences) planned.push(await planOf(difference, facts))
  return {
    steps: planned.filter((item) => 'sql' in item),
    later: later.map(planLater),
    problems: planned.flatMap((item) => ('problem' in item ? [item.problem] : [])),
    orphans,
  }
}

/** Tables and columns created by earlier steps of the plan; they have no rows to count yet. */
interface Facts {
  readonly db: Db
  readonly created: ReadonlySet<string>
  readonly added: ReadonlySet<string>
}

const quote = (name: string) => identifier(name).text

const alter = (table: TableSpec, action: string) => `ALTER TABLE ${quote(table.name)} ${action}`

const safeStep = ({ kind, table }: Difference, target: string | null, lock: LockKind, statement: string): PlanStep => ({
  kind,
  table: table.name,
  target,
  loss: 'safe',
  rows: 0,
  lock,
  sql: statement,
})

function planOf(difference: Difference, facts: Facts): Planned | Promise<Planned> {
  const { table } = difference
  switch (difference.kind) {
    case 'create table':
      return safeStep(difference, null, 'none', `${createTable(table)};\n${commentTable(table)}`)
    case 'adopt table':
      return safeStep(difference, null, 'none', commentTable(table))
    case 'add column':
      return planNewColumn(difference, facts)
    case 'change type':
      return planTypeChange(difference, facts)
    case 'set default': {
      const { name, default: value } = difference.column
      const action = value === null ? 'DROP DEFAULT' : `SET DEFAULT ${value}`
      return safeStep(difference, name, 'ACCESS EXCLUSIVE', alter(table, `ALTER COLUMN ${quote(name)} ${action}`))
    }
    case 'drop not null': {
      const statement = alter(table, `ALTER COLUMN ${quote(difference.column)} DROP NOT NULL`)
      return safeStep(difference, difference.column, 'ACCESS EXCLUSIVE', statement)
    }
    case 'set not null':
      return planNotNull(difference, facts)
    case 'add constraint':
      return planConstraint(difference, facts)
    case 'drop constraint': {
      const statement = alter(table, `DROP CONSTRAINT ${quote(difference.name)}`)
      return safeStep(difference, difference.name, 'ACCESS EXCLUSIVE', statement)
    }
    case 'create index': {
      const statements = [createIndex(difference, ''), commentIndex(difference.index)]
      return safeStep(difference, difference.index.name, 'SHARE', statements.join(';\n'))
    }
    case 'drop index':
      return safeStep(difference, difference.name, 'ACCESS EXCLUSIVE', `DROP INDEX ${quote(difference.name)}`)
  }
}

type NewIndex = Extract<Difference, { kind: 'create index' }>

const newIndex = (table: TableSpec, index: IndexSpec): NewIndex => ({ kind: 'create index', table, index })

const createIndex = ({ table, index: { name, definition } }: NewIndex, how: 'CONCURRENTLY ' | '') =>
  `CREATE INDEX ${how}${quote(name)} ON ${quote(table.name)} ${definition}`

const commentIndex = ({ name, definition }: IndexSpec) => `COMMENT ON INDEX ${quote(name)} IS ${mark(definition)}`

/** The steps that build an index; an existing one, with another definition or left invalid by an interrupted attempt, is dropped first. */
function planLater({ table, name, index }: LaterIndex): LaterStep {
  const statements = [
    `DROP INDEX CONCURRENTLY IF EXISTS ${quote(name)}`,
    ...(index === null ? [] : [createIndex(newIndex(table, index), 'CONCURRENTLY '), commentIndex(index)]),
  ]
  const change = index === null ? ({ kind: 'drop index', table, name } as const) : newIndex(table, index)
  return { ...safeStep(change, name, 'none', statements.join(';\n')), statements }
}

const mark = (definition: string) => literal(`${MARK}${definition}`).text

const commentTable = (table: TableSpec) => `COMMENT ON TABLE ${quote(table.name)} IS ${mark(table.owner)}`

function createTable(table: TableSpec): string {
  const columns = inStorageOrder(table.columns.values()).map((column) => `  ${columnText(column)}`)
  const key = `  PRIMARY KEY (${table.primaryKey.map(quote).join(', ')})`
  return `CREATE TABLE ${quote(table.name)} (\n${[...columns, key].join(',\n')}\n)`
}

function columnText({ name, type, notNull, identity, default: value }: ColumnSpec): string {
  const parts = [quote(name), type]
  if (identity) parts.push('GENERATED BY DEFAULT AS IDENTITY')
  if (notNull) parts.push('NOT NULL')
  if (value !== null) parts.push(`DEFAULT ${value}`)
  return parts.join(' ')
}

/** Existing rows get the field's static default, which PostgreSQL stores in the catalogue without rewriting the table. */
async function planNewColumn(difference: Extract<Difference, { kind: 'add column' }>, facts: Facts): Promise<Planned> {
  const { table, column } = difference
  const start = staticDefault(column) ?? column.default
  if (column.notNull && start === null && (await hasRows(facts.db, table.name))) {
    return {
      problem: `${place(table, column)} is required, but its table has rows and the field has no fixed default.`,
    }
  }
  const adding = alter(table, `ADD COLUMN ${columnText({ ...column, default: start })}`)
  const finalDefault = column.default === null ? 'DROP DEFAULT' : `SET DEFAULT ${column.default}`
  const reset =
    start === column.default ? '' : `;\n${alter(table, `ALTER COLUMN ${quote(column.name)} ${finalDefault}`)}`
  return safeStep(difference, column.name, 'ACCESS EXCLUSIVE', adding + reset)
}

async function planTypeChange(
  difference: Extract<Difference, { kind: 'change type' }>,
  { db }: Facts,
): Promise<Planned> {
  const { table, column, from } = difference
  const cast = castOf(column.name, from, column.type)
  if (cast === undefined) {
    return {
      problem: `${place(table, column)} cannot turn from ${from} into ${column.type}: write a migration for it.`,
    }
  }
  const rows = await count(db, table.name, sql`${sql.ref(column.name)} is not null`)
  const statement = alter(table, `ALTER COLUMN ${quote(column.name)} TYPE ${column.type} USING ${cast.using}`)
  const { kind } = difference
  return {
    kind,
    table: table.name,
    target: column.name,
    loss: cast.loss,
    rows,
    lock: 'ACCESS EXCLUSIVE',
    sql: statement,
  }
}

async function planNotNull(difference: Extract<Difference, { kind: 'set not null' }>, { db }: Facts): Promise<Planned> {
  const { table, column } = difference
  const rows = await count(db, table.name, sql`${sql.ref(column.name)} is null`)
  const statement = alter(table, `ALTER COLUMN ${quote(column.name)} SET NOT NULL`)
  if (rows === 0) return safeStep(difference, column.name, 'ACCESS EXCLUSIVE', statement)
  const fill = staticDefault(column) ?? column.default
  if (fill === null) {
    return {
      problem: `${place(table, column)} is required, but ${rows} rows have no value and it has no fixed default.`,
    }
  }
  const fillText = `UPDATE ${quote(table.name)} SET ${quote(column.name)} = ${fill} WHERE ${quote(column.name)} IS NULL`
  return {
    ...safeStep(difference, column.name, 'ACCESS EXCLUSIVE', `${fillText};\n${statement}`),
    loss: 'rewrite',
    rows,
  }
}

async function planConstraint(
  difference: Extract<Difference, { kind: 'add constraint' }>,
  facts: Facts,
): Promise<Planned> {
  const { table, constraint } = difference
  const broken = await countBroken(table, constraint, facts)
  if (broken > 0)
    return { problem: `${table.name}: ${broken} rows break ${constraint.name} (${constraint.definition}).` }
  const name = quote(constraint.name)
  const adding = alter(table, `ADD CONSTRAINT ${name} ${constraint.definition}`)
  const comment = `COMMENT ON CONSTRAINT ${name} ON ${quote(table.name)} IS ${mark(constraint.definition)}`
  const lock = constraint.kind === 'foreign' ? 'SHARE ROW EXCLUSIVE' : 'ACCESS EXCLUSIVE'
  return safeStep(difference, constraint.name, lock, `${adding};\n${comment}`)
}

/** Counts the rows that violate a new constraint; tables created by this plan have none. */
async function countBroken(table: TableSpec, constraint: ConstraintSpec, facts: Facts): Promise<number> {
  const { kind, columns, target } = constraint
  const isNew = columns.some((column) => facts.added.has(`${table.name}.${column}`))
  if (kind === 'check' || isNew || facts.created.has(table.name)) return 0
  if (kind === 'unique') return countDoubles(facts.db, table.name, constraint)
  const [column] = columns
  if (facts.created.has(target!)) return count(facts.db, table.name, sql`${sql.ref(column!)} is not null`)
  return count(
    facts.db,
    table.name,
    sql`${sql.ref(column!)} is not null
      and not exists (select from ${sql.table(target!)} t where t.id = ${sql.ref(`${table.name}.${column}`)})`,
  )
}

async function countDoubles(db: Db, table: string, { columns, definition }: ConstraintSpec): Promise<number> {
  const counting = definition.includes(NULL_EQUAL) ? [] : columns
  const isSet = sql.join([sql`true`, ...counting.map((column) => sql`${sql.ref(column)} is not null`)], sql` and `)
  const keys = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<{ rows: number }>`select coalesce(sum(n), 0)::int as rows from (
    select count(*) as n from ${sql.table(table)} where ${isSet} group by ${keys} having count(*) > 1) doubles`.execute(
    db,
  )
  return rows[0]?.rows ?? 0
}

async function count(db: Db, table: string, condition: Sql<unknown>): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from ${sql.table(table)} where ${condition}`.execute(db)
  return rows[0]?.rows ?? 0
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  return rows.length > 0
}

const place = (table: TableSpec, column: ColumnSpec) => `${table.name}.${column.name}`
