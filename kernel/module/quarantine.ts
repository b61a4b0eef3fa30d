import type { Registry } from '../model/registry.ts'
import { desiredSchema } from '../schema/columns.ts'
import { objectName } from '../schema/names.ts'
import type { SchemaSpec, TableSpec } from '../schema/spec.ts'
import type { Db } from '../sql/database.ts'
import { ddl, identifier, joinDdl, runDdl, runScript } from '../sql/ddl.ts'
import { sql } from '../sql/sql.ts'

/** Data of an uninstalled addon, kept in the schema `quarantine` until it is installed again or purged. */
export interface QuarantineItem {
  readonly addon: string
  readonly table_name: string
  /** Null for a whole table. */
  readonly column_name: string | null
  /** Name in the quarantine schema. */
  readonly stored_as: string
  readonly rows: number
}

const SCHEMA = identifier('quarantine')

/** What is in the old schema but not in the new one: whole tables, and columns of tables that stay. */
export interface SchemaLoss {
  readonly tables: readonly TableSpec[]
  readonly columns: readonly { readonly table: string; readonly column: string }[]
}

export function schemaLoss(before: SchemaSpec, after: SchemaSpec): SchemaLoss {
  const tables = [...before.values()].filter((table) => !after.has(table.name))
  const columns = [...before.values()].flatMap(({ name, columns: had }) => {
    const kept = after.get(name)?.columns
    return kept ? [...had.keys()].filter((column) => !kept.has(column)).map((column) => ({ table: name, column })) : []
  })
  return { tables, columns }
}

/**
 * Moves these tables and columns, with their rows, to the schema `quarantine`. Foreign keys are dropped, so that they do not
 * block deletes in the tables that stay.
 */
export async function quarantineLoss(
  tx: Db,
  addon: string,
  { tables, columns }: SchemaLoss,
): Promise<QuarantineItem[]> {
  await runScript(
    tx,
    `CREATE SCHEMA IF NOT EXISTS quarantine;
    CREATE TABLE IF NOT EXISTS quarantine.item (addon text NOT NULL, table_name text NOT NULL, column_name text,
      stored_as text PRIMARY KEY, rows integer NOT NULL, moved_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE NULLS NOT DISTINCT (table_name, column_name))`,
  )
  const items: QuarantineItem[] = []
  await dropForeignKeys(
    tx,
    tables.map((table) => table.name),
  )
  for (const { name } of tables) {
    const rows = await countRows(tx, name)
    await runDdl(tx, ddl`ALTER TABLE ${identifier(name)} SET SCHEMA ${SCHEMA}`)
    items.push({ addon, table_name: name, column_name: null, stored_as: name, rows })
  }
  for (const { table, column } of columns) {
    const stored_as = objectName(table, column, 'column')
    const [from, name, holder] = [identifier(table), identifier(column), identifier(stored_as)]
    await runDdl(
      tx,
      ddl`CREATE TABLE ${SCHEMA}.${holder} AS SELECT id, ${name} FROM ${from} WHERE ${name} IS NOT NULL;
        ALTER TABLE ${from} DROP COLUMN ${name}`,
    )
    items.push({ addon, table_name: table, column_name: column, stored_as, rows: await countRows(tx, stored_as, true) })
  }
  await sql`
    insert into quarantine.item (addon, table_name, column_name, stored_as, rows)
    select r.addon, r.table_name, r.column_name, r.stored_as, r.rows from json_to_recordset(${JSON.stringify(items)}::json)
      as r(addon text, table_name text, column_name text, stored_as text, rows integer)`.execute(tx)
  return items
}

/** Moves everything back that the registry needs. The schema sync then creates the keys again. */
export async function restoreQuarantined(tx: Db, registry: Registry): Promise<void> {
  const wanted = desiredSchema(registry, { trigrams: false })
  const items = (await listQuarantine(tx)).filter(({ table_name, column_name }) => {
    const table = wanted.get(table_name)
    return table !== undefined && (column_name === null || table.columns.has(column_name))
  })
  if (items.length === 0) return
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(tx)
  const live = identifier(rows[0]!.name)
  for (const { column_name, stored_as } of items) {
    if (column_name === null) await runDdl(tx, ddl`ALTER TABLE ${SCHEMA}.${identifier(stored_as)} SET SCHEMA ${live}`)
  }
  for (const item of items) if (item.column_name !== null) await restoreColumn(tx, item, item.column_name)
  await forgetItems(tx, items)
  await dropDangling(
    tx,
    items.map((item) => wanted.get(item.table_name)!),
  )
}

async function restoreColumn(tx: Db, { table_name, stored_as }: QuarantineItem, column: string): Promise<void> {
  const { rows } = await sql<{ type: string }>`
    select format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${`quarantine.${identifier(stored_as).text}`}) and attname = ${column}`.execute(tx)
  const [table, name, holder] = [table_name, column, stored_as].map((text) => identifier(text).text)
  await runScript(
    tx,
    `ALTER TABLE ${table} ADD COLUMN ${name} ${rows[0]!.type};
    UPDATE ${table} SET ${name} = held.${name} FROM quarantine.${holder} held WHERE held.id = ${table}.id;
    DROP TABLE quarantine.${holder}`,
  )
}

/**
 * Clears links to records that were deleted meanwhile; rows whose link is required are deleted, which may affect further
 * rows.
 */
async function dropDangling(tx: Db, tables: readonly TableSpec[]): Promise<void> {
  const links = [...new Set(tables)].flatMap((table) =>
    [...table.constraints.values()]
      .filter((constraint) => constraint.kind === 'foreign')
      .map((constraint) => ({ table, column: table.columns.get(constraint.columns[0]!)!, target: constraint.target! })),
  )
  for (let deleted = true; deleted; ) {
    deleted = false
    for (const { table, column, target } of links) {
      if (!(await exists(tx, target)) || !(await hasColumn(tx, table.name, column.name))) continue
      const [from, to] = [sql.table(table.name), sql.table(target)]
      const link = sql.ref(`${table.name}.${column.name}`)
      const isLost = sql`${link} is not null and not exists (select from ${to} as target where target.id = ${link})`
      const { numAffectedRows = 0n } = await (column.notNull
        ? sql`delete from ${from} where ${isLost}`
        : sql`update ${from} set ${sql.id(column.name)} = null where ${isLost}`
      ).execute(tx)
      deleted ||= column.notNull && numAffectedRows > 0n
    }
  }
}

/** Permanently deletes the quarantined data of an addon. */
export async function purgeQuarantine(tx: Db, addon: string): Promise<QuarantineItem[]> {
  const items = (await listQuarantine(tx)).filter((item) => item.addon === addon)
  if (items.length === 0) return []
  const holders = joinDdl(items.map(({ stored_as }) => ddl`${SCHEMA}.${identifier(stored_as)}`))
  await runDdl(tx, ddl`DROP TABLE ${holders}`)
  await forgetItems(tx, items)
  return items
}

export async function listQuarantine(db: Db): Promise<QuarantineItem[]> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('quarantine.item') is not null as there`.execute(db)
  if (!found[0]?.there) return []
  const { rows } = await sql<QuarantineItem>`
    select addon, table_name, column_name, stored_as, rows from quarantine.item order by stored_as`.execute(db)
  return rows
}

const forgetItems = (tx: Db, items: readonly QuarantineItem[]) =>
  sql`delete from quarantine.item where stored_as = any(${items.map((item) => item.stored_as)}::text[])`.execute(tx)

async function dropForeignKeys(tx: Db, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ table_name: string; name: string }>`
    select c.relname as table_name, k.conname as name from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace
      and (c.relname = any(${tables}::text[]) or t.relname = any(${tables}::text[]))`.execute(tx)
  const drops = rows.map(
    (row) => ddl`ALTER TABLE ${identifier(row.table_name)} DROP CONSTRAINT ${identifier(row.name)}`,
  )
  if (drops.length > 0) await runDdl(tx, joinDdl(drops, ';\n'))
}

async function countRows(tx: Db, table: string, quarantined = false): Promise<number> {
  const from = quarantined ? sql.table(`quarantine.${table}`) : sql.table(table)
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from ${from}`.execute(tx)
  return rows[0]?.rows ?? 0
}

async function exists(tx: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${identifier(table).text}) is not null as there`.execute(tx)
  return rows[0]?.there ?? false
}

async function hasColumn(tx: Db, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_attribute where attrelid = to_regclass(${identifier(table).text}) and attname = ${column}`.execute(
    tx,
  )
  return rows.length > 0
}
