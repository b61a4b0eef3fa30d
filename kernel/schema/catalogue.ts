import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import type { SchemaFeatures } from './spec.ts'

export interface LiveColumn {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly default: string | null
}

export interface LiveIndex {
  readonly definition: string | null
  /** False after an interrupted CREATE INDEX CONCURRENTLY. */
  readonly valid: boolean
}

export interface LiveTable {
  readonly name: string
  readonly owner: string | null
  /** Size of its rows on disk; 0 if it is partitioned. */
  readonly bytes: number
  readonly columns: ReadonlyMap<string, LiveColumn>
  /** Definition each constraint was made with; null when something other than the schema sync made it. */
  readonly constraints: ReadonlyMap<string, string | null>
  readonly indexes: ReadonlyMap<string, LiveIndex>
}

export interface LiveSchema {
  readonly tables: ReadonlyMap<string, LiveTable>
  readonly features: SchemaFeatures
}

/**
 * Starts the comment of everything the schema sync made; the definition follows. PostgreSQL rewrites expressions, so
 * definitions cannot be compared with the live ones; the mark also distinguishes our objects from those of an addon's
 * migration.
 */
export const MARK = 'svc:'

const unmark = (comment: string | null) => (comment?.startsWith(MARK) ? comment.slice(MARK.length) : null)

/** Tables, columns, constraints and indexes of the current schema, in four catalogue queries. */
export async function readCatalogue(db: Db): Promise<LiveSchema> {
  const [columns, constraints, indexes, features] = await Promise.all([
    readColumns(db),
    readConstraints(db),
    readIndexes(db),
    readFeatures(db),
  ])
  const constraintsOf = groupByTable(constraints)
  const indexesOf = groupByTable(indexes)
  const tables = new Map<string, LiveTable>()
  for (const [name, rows] of groupByTable(columns)) {
    tables.set(name, {
      name,
      owner: unmark(rows[0]?.table_comment ?? null),
      bytes: rows[0]?.table_bytes ?? 0,
      columns: new Map(
        rows.map((row) => [
          row.column_name,
          { name: row.column_name, type: row.type, notNull: row.not_null, default: row.default },
        ]),
      ),
      constraints: new Map((constraintsOf.get(name) ?? []).map((row) => [row.name, unmark(row.comment)])),
      indexes: new Map(
        (indexesOf.get(name) ?? []).map((row) => [row.name, { definition: unmark(row.comment), valid: row.valid }]),
      ),
    })
  }
  return { tables, features }
}

function groupByTable<T extends { readonly table_name: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(row.table_name)
    if (group) group.push(row)
    else groups.set(row.table_name, [row])
  }
  return groups
}

interface ColumnRow {
  table_name: string
  table_comment: string | null
  table_bytes: number
  column_name: string
  type: string
  not_null: boolean
  default: string | null
}

async function readColumns(db: Db): Promise<ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`
    SELECT c.relname AS table_name, c.comment AS table_comment, c.bytes AS table_bytes, a.attname AS column_name,
      format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS not_null, pg_get_expr(d.adbin, d.adrelid) AS default
    FROM (
      -- Once for each table, not for each column.
      SELECT oid, relname, obj_description(oid, 'pg_class') AS comment, pg_relation_size(oid)::float8 AS bytes
      FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      OFFSET 0
    ) c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    ORDER BY c.relname, a.attnum`.execute(db)
  return rows
}

interface ConstraintRow {
  table_name: string
  name: string
  comment: string | null
}

async function readConstraints(db: Db): Promise<ConstraintRow[]> {
  const { rows } = await sql<ConstraintRow>`
    SELECT c.relname AS table_name, k.conname AS name, obj_description(k.oid, 'pg_constraint') AS comment
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND k.contype IN ('u', 'c', 'f', 'x')`.execute(db)
  return rows
}

interface IndexRow extends ConstraintRow {
  valid: boolean
}

async function readIndexes(db: Db): Promise<IndexRow[]> {
  const { rows } = await sql<IndexRow>`
    SELECT c.relname AS table_name, x.relname AS name, i.indisvalid AS valid, obj_description(x.oid, 'pg_class') AS comment
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.oid AND k.conrelid = c.oid)`.execute(db)
  return rows
}

async function readFeatures(db: Db): Promise<SchemaFeatures> {
  const { rows } = await sql<{ trigrams: boolean }>`
    SELECT to_regproc('svc_fold') IS NOT NULL
      AND EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops') AS trigrams`.execute(db)
  return { trigrams: rows[0]?.trigrams ?? false }
}
