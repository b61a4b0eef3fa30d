import type { Env } from '../../env.ts'
import type { Field, Relation } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { fromRecordset, recordset } from '../statement/recordset.ts'

/** Field → record id → stored value. */
export type ComputedValues = ReadonlyMap<Field, ReadonlyMap<number, unknown>>

/** Field → ids of the records whose stored value has changed. */
export type ChangedRecords = ReadonlyMap<Field, readonly number[]>

/**
 * Stores the results of computes that ran for the same records. `version` is not incremented, because no user has edited the
 * records.
 */
export async function storeComputed(env: Env, model: Model, values: ComputedValues): Promise<ChangedRecords> {
  const changed = new Map<Field, readonly number[]>()
  const columns = [...values.keys()].filter((field) => field.column !== null)
  if (columns.length > 0) {
    const rows = await updateColumns(env, model, columns, values)
    for (const [index, field] of columns.entries()) {
      const others = rows.filter((row) => row[mark(index)] === true)
      changed.set(
        field,
        others.map((row) => row['id'] as number),
      )
      if (!model.tracked.includes(field)) continue
      for (const row of others) env.outbox.keep(model.name, row['id'] as number, { [field.name]: row[old(index)] })
    }
  }
  for (const [field, links] of values) {
    const { relation } = field
    if (field.column === null && relation?.kind === 'many2many')
      changed.set(field, await updateLinks(env, relation, links))
  }
  return changed
}

const mark = (index: number) => `changed:${index}`
const old = (index: number) => `old:${index}`

/** Updates exactly the rows where a value differs, in one statement, and returns per row which columns did. */
async function updateColumns(
  env: Env,
  model: Model,
  fields: readonly Field[],
  values: ComputedValues,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const ids = [...values.get(fields[0]!)!.keys()]
  const rows = ids.map((id) => {
    const row = new Map<string, unknown>([['id', id]])
    for (const field of fields) row.set(field.name, values.get(field)!.get(id))
    return row
  })
  const table = sql.table(model.table)
  const differs = (field: Field) => sql`o.${sql.ref(field.column!)} is distinct from ${fromRecordset(field)}`
  const selected = fields.flatMap((field, index) => [
    sql`${fromRecordset(field)} as ${sql.id(field.name)}`,
    sql`${differs(field)} as ${sql.id(mark(index))}`,
  ])
  const marks = fields.map((_field, index) => sql.ref(`n.${mark(index)}`))
  const kept = [...fields.entries()].filter(([, field]) => model.tracked.includes(field))
  for (const [index, field] of kept) selected.push(sql`to_jsonb(o.${sql.ref(field.column!)}) as ${sql.id(old(index))}`)
  const assignments = fields.map((field) => sql`${sql.ref(field.column!)} = ${sql.ref(`n.${field.name}`)}`)
  const { rows: changed } = await sql<Record<string, unknown>>`
    update ${table} as t set ${sql.join(assignments)}
    from (select o.id, ${sql.join(selected)} from ${recordset(rows, fields, true)} join ${table} as o on o.id = r.id) as n
    where t.id = n.id and (${sql.join(marks, sql` or `)})
    returning t.id, ${sql.join([...marks, ...kept.map(([index]) => sql.ref(`n.${old(index)}`))])}`.execute(env.tx)
  return changed
}

/** Replaces the links of the records by the computed ones; returns the records that got or lost a link. */
async function updateLinks(
  env: Env,
  { table, left, right }: Extract<Relation, { kind: 'many2many' }>,
  links: ReadonlyMap<number, unknown>,
): Promise<readonly number[]> {
  const owners = [...links.keys()]
  const pairs = [...links].flatMap(([owner, targets]) =>
    (targets as readonly number[]).map((target) => [owner, target]),
  )
  const [near, far]: Sql<unknown>[] = [sql.ref(left), sql.ref(right)]
  const kept = sql<SqlBool>`exists (select from wanted as w where w.owner = l.${near!} and w.target = l.${far!})`
  const { rows } = await sql<{ id: number }>`
    with wanted as (
      select * from unnest(${pairs.map(([owner]) => owner)}::int[], ${pairs.map(([, target]) => target)}::int[]) as w(owner, target)
    ), gone as (
      delete from ${sql.table(table)} as l where l.${near!} = any(${owners}::int[]) and not ${kept} returning l.${near!} as id
    ), added as (
      insert into ${sql.table(table)} (${near!}, ${far!}) select owner, target from wanted on conflict do nothing
      returning ${near!} as id
    )
    select id from gone union select id from added`.execute(env.tx)
  return rows.map((row) => row.id)
}
