import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

/** External ids are `module.name`; inside a data file the module of the file may be left out. */
export type Xmlid = string

const XMLID = /^[a-z][a-z0-9_]*\.[a-zA-Z0-9_][a-zA-Z0-9_.-]*$/

/** The full form of an external id written in a file of `module`, or null when it is not one. */
export function fullXmlid(module: string, text: string): Xmlid | null {
  const trimmed = text.trim()
  const full = trimmed.includes('.') ? trimmed : `${module}.${trimmed}`
  return XMLID.test(full) && full.length <= 200 ? full : null
}

export function splitXmlid(xmlid: Xmlid): { readonly module: string; readonly name: string } {
  const dot = xmlid.indexOf('.')
  return { module: xmlid.slice(0, dot), name: xmlid.slice(dot + 1) }
}

export interface KnownXmlid {
  readonly xmlid: Xmlid
  readonly model: string
  readonly res_id: number
  readonly noupdate: boolean
}

/** The records behind external ids, in one query; unknown ids are missing from the answer. */
export async function findXmlids(db: Db, xmlids: Iterable<Xmlid>): Promise<Map<Xmlid, KnownXmlid>> {
  const wanted = [...new Set(xmlids)].map(splitXmlid)
  const { rows } = await sql<KnownXmlid>`
    select x.module || '.' || x.name as xmlid, x.model, x.res_id, x.noupdate from sys_xmlid x
    join json_to_recordset(${JSON.stringify(wanted)}::json) as w(module text, name text)
      on w.module = x.module and w.name = x.name`.execute(db)
  return new Map(rows.map((row) => [row.xmlid, row]))
}

/** Every external id of a module. */
export async function xmlidsOf(db: Db, module: string): Promise<KnownXmlid[]> {
  const { rows } = await sql<KnownXmlid>`
    select module || '.' || name as xmlid, model, res_id, noupdate from sys_xmlid
    where module = ${module} order by id`.execute(db)
  return rows
}

/** Saves external ids in one statement; an id whose record was deleted is assigned to the new record. */
export async function saveXmlids(db: Db, entries: readonly KnownXmlid[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ xmlid, model, res_id, noupdate }) => ({ ...splitXmlid(xmlid), model, res_id, noupdate }))
  await sql`
    insert into sys_xmlid (module, name, model, res_id, noupdate)
    select r.module, r.name, r.model, r.res_id, r.noupdate from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(module text, name text, model text, res_id integer, noupdate boolean)
    on conflict (module, name) do update
      set model = excluded.model, res_id = excluded.res_id, noupdate = excluded.noupdate`.execute(db)
}

export async function forgetXmlids(db: Db, xmlids: readonly Xmlid[]): Promise<void> {
  if (xmlids.length === 0) return
  await sql`delete from sys_xmlid where module || '.' || name = any(${[...xmlids]}::text[])`.execute(db)
}
