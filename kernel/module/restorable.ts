import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { listQuarantine, type QuarantineItem } from './quarantine.ts'

/** What an install takes back from where an earlier uninstall set it aside: the records of a model, or values of fields added to one. */
export interface Restorable {
  readonly model: Model
  /** Empty: whole records. */
  readonly fields: readonly Field[]
  /** Records, or values of records that are still there. */
  readonly count: number
}

export async function listRestorable(db: Db, registry: Registry): Promise<readonly Restorable[]> {
  const items = await listQuarantine(db)
  const whole = new Map(items.filter(({ column_name }) => column_name === null).map((item) => [item.table_name, item]))
  const found: Restorable[] = []
  for (const model of registry.models.values()) {
    const table = whole.get(model.table)
    if (table !== undefined) found.push({ model, fields: [], count: table.rows })
    else found.push(await valuesOf(db, model, items, whole))
  }
  return found.filter(({ count }) => count > 0)
}

async function valuesOf(
  db: Db,
  model: Model,
  items: readonly QuarantineItem[],
  whole: ReadonlyMap<string, QuarantineItem>,
): Promise<Restorable> {
  const fields: Field[] = []
  let count = 0
  for (const field of model.fields.values()) {
    const { column, relation } = field
    const links = relation?.kind === 'many2many' ? whole.get(relation.table) : undefined
    const values = items.find(({ table_name, column_name }) => table_name === model.table && column_name === column)
    const more =
      links !== undefined && relation?.kind === 'many2many'
        ? await countHeld(db, model, links, relation.left)
        : values !== undefined && column !== null
          ? await countHeld(db, model, values, 'id')
          : 0
    if (more > 0) fields.push(field)
    count += more
  }
  return { model, fields, count }
}

/** Rows that are set aside for records of a model, which `link` names, as far as these are still there. */
async function countHeld(db: Db, { table }: Model, { stored_as }: QuarantineItem, link: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from ${sql.table(`quarantine.${stored_as}`)} as held
    join ${sql.table(table)} as t on t.id = ${sql.ref(`held.${link}`)}`.execute(db)
  return rows[0]?.held ?? 0
}
