import type { KnownXmlid } from '../data/xmlid.ts'
import type { Registry } from '../model/registry.ts'
import { desiredSchema } from '../schema/columns.ts'
import type { TableSpec } from '../schema/spec.ts'
import type { Db } from '../sql/database.ts'
import { runScript } from '../sql/ddl.ts'
import { type SqlBool, sql } from '../sql/sql.ts'

/** A foreign key to a model's table. In a link table `other` is the key to the record on the other side. */
interface Key {
  readonly table: string
  readonly column: string
  readonly target: string
  readonly other: { readonly column: string; readonly target: string } | null
}

/** The foreign keys of the tables of a registry. */
function keysOf(registry: Registry): readonly Key[] {
  return [...desiredSchema(registry, { trigrams: false }).values()].flatMap((table) => {
    const foreign = foreignKeys(table)
    return foreign.map(({ column, target }) => {
      const other = foreign.find((key) => key.column !== column) ?? null
      return { table: table.name, column, target, other: table.columns.has('id') ? null : other }
    })
  })
}

const foreignKeys = ({ constraints }: TableSpec) =>
  [...constraints.values()].flatMap(({ kind, columns: [column], target }) =>
    kind === 'foreign' && column && target ? [{ column, target }] : [],
  )

/**
 * Notes the links of other records to these, which are about to be deleted: the groups of users, their home actions. A record
 * is known by its external id, since it gets another id when its module is installed again.
 */
export async function quarantineLinks(
  tx: Db,
  addon: string,
  registry: Registry,
  leaving: readonly KnownXmlid[],
): Promise<void> {
  await runScript(
    tx,
    `CREATE TABLE IF NOT EXISTS quarantine.link (addon text NOT NULL, xmlid text NOT NULL, table_name text NOT NULL,
      column_name text NOT NULL, row_id integer, other_id integer, other_xmlid text)`,
  )
  const modelOf = new Map([...registry.models.values()].map(({ table, name }) => [table, name]))
  const going = (table: string) => leaving.filter(({ model }) => model === modelOf.get(table))
  for (const { table, column, target, other } of keysOf(registry)) {
    const records = going(target)
    if (records.length === 0) continue
    const gone = sql`unnest(${records.map(({ res_id }) => res_id)}::int[], ${records.map(({ xmlid }) => xmlid)}::text[])`
    const link = sql.ref(`t.${column}`)
    // A row that is quarantined too is restored with its own data.
    const own = going(table).map(({ res_id }) => res_id)
    const side = other && sql.ref(`t.${other.column}`)
    await (side
      ? sql`
        insert into quarantine.link (addon, xmlid, table_name, column_name, other_id, other_xmlid)
        select ${addon}, g.xmlid, ${table}, ${column}, ${side}, x.module || '.' || x.name
        from ${sql.table(table)} as t join ${gone} as g(id, xmlid) on g.id = ${link}
        left join sys_xmlid as x on x.model = ${modelOf.get(other!.target) ?? ''} and x.res_id = ${side}`
      : sql`
        insert into quarantine.link (addon, xmlid, table_name, column_name, row_id)
        select ${addon}, g.xmlid, ${table}, ${column}, t.id
        from ${sql.table(table)} as t join ${gone} as g(id, xmlid) on g.id = ${link}
        where not t.id = any(${own}::int[])`
    ).execute(tx)
  }
}

/** Sets the links again that other records had to those of these addons, unless those records have another link by now or were deleted. */
export async function restoreLinks(tx: Db, addons: readonly string[], registry: Registry): Promise<void> {
  if (!(await hasLinks(tx))) return
  for (const { table, column, other, target } of keysOf(registry)) {
    const noted = sql<SqlBool>`l.addon = any(${addons}::text[]) and l.table_name = ${table} and l.column_name = ${column}`
    const named = (alias: 'x' | 'o', xmlid: 'xmlid' | 'other_xmlid') =>
      sql`${sql.ref(`${alias}.module`)} || '.' || ${sql.ref(`${alias}.name`)} = ${sql.ref(`l.${xmlid}`)}`
    const exists = (to: string, id: ReturnType<typeof sql>) =>
      sql<SqlBool>`exists (select from ${sql.table(to)} as r where r.id = ${id})`
    const side = sql`coalesce(o.res_id, l.other_id)`
    await (other
      ? sql`
        insert into ${sql.table(table)} (${sql.id(column)}, ${sql.id(other.column)})
        select x.res_id, ${side} from quarantine.link as l join sys_xmlid as x on ${named('x', 'xmlid')}
        left join sys_xmlid as o on ${named('o', 'other_xmlid')}
        where ${noted} and ${exists(target, sql`x.res_id`)} and ${exists(other.target, side)} on conflict do nothing`
      : sql`
        update ${sql.table(table)} as t set ${sql.id(column)} = x.res_id
        from quarantine.link as l join sys_xmlid as x on ${named('x', 'xmlid')}
        where ${noted} and t.id = l.row_id and ${sql.ref(`t.${column}`)} is null and ${exists(target, sql`x.res_id`)}`
    ).execute(tx)
  }
  await forgetLinks(tx, addons)
}

export async function forgetLinks(tx: Db, addons: readonly string[]): Promise<void> {
  if (await hasLinks(tx)) await sql`delete from quarantine.link where addon = any(${addons}::text[])`.execute(tx)
}

async function hasLinks(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('quarantine.link') is not null as there`.execute(tx)
  return rows[0]?.there ?? false
}
