import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { listQuarantine, type QuarantineItem } from './quarantine.ts'

/** Data that an install restores after an earlier uninstall put it into quarantine: records of a model, or values of fields added to one. */
export interface Restorable {
  readonly model: Model
  /** Empty: whole records. */
  readonly fields: readonly Field[]
  /** Number of the records, or of the values whose records still exist. */
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

/** Number of quarantined rows whose record, named by the column `link`, still exists. */
async function countHeld(db: Db, { table }: Model, { stored_as }: QuarantineItem, link: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from ${sql.table(`quarantine.${stored_as}`)} as held
    join ${sql.table(table)} as t on t.id = ${sql.ref(`held.${link}`)}`.execute(db)
  return rows[0]?.held ?? 0
}
