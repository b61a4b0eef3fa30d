import type { RecordValues } from '../../domain/evaluate.ts'
import type { Env } from '../../env.ts'
import { LIMITS } from '../../limits.ts'
import type { Field, Relation, SelectedColumn } from '../../model/fields/field.ts'
import { wireValue } from '../../model/fields/wire.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { columnOf, fromTable, modelOf, rootScope, type TableScope } from '../statement/scope.ts'
import { fieldColumns } from './project.ts'
import type { Needs } from './rule-needs.ts'

/** The values of a record that conditions read, and the length of their JSON, which contains a linked record once for every link to it. */
export interface Remembered {
  readonly values: RecordValues
  readonly chars: number
}

export type RememberedRecords = ReadonlyMap<number, Remembered>

/** The key of a record's linked records, by the name of the relation; no field has such a name. */
const LINKS = '.links'

export const linkedRecords = (field: Field, record: RecordValues): readonly RecordValues[] =>
  (record[LINKS] as Readonly<Record<string, readonly RecordValues[]>>)?.[field.name] ?? []

/** The record with further linked records, under a name that none of its relations has. */
export function withLinked({ values, chars }: Remembered, name: string, linked: readonly Remembered[]): Remembered {
  const links = { ...(values[LINKS] as object | undefined), [name]: linked.map((each) => each.values) }
  // A little more than the length of the name with its punctuation.
  const more = linked.reduce((sum, each) => sum + each.chars + 1, name.length + LINKS.length + 12)
  return { values: { ...values, [LINKS]: links }, chars: chars + more }
}

/** How much may still be read. */
interface Room {
  rows: number
  statements: number
}

/** The needed values of the records. Null if they exceed the limits; no more than the limits allow is read to find that out. */
export const remember = (env: Env, needs: Needs, ids: readonly number[]): Promise<RememberedRecords | null> =>
  readNeeds(env, needs, ids, { rows: LIMITS.rememberedRows, statements: LIMITS.rememberedReads })

async function readNeeds(
  env: Env,
  needs: Needs,
  ids: readonly number[],
  room: Room,
): Promise<RememberedRecords | null> {
  if (ids.length === 0) return new Map()
  const rows = await readValues(env, needs, ids, room)
  if (rows === null) return null
  const found = new Map<number, Remembered>()
  const linked = new Map<string, (id: number) => readonly Remembered[]>()
  for (const [name, { field, needs: further }] of needs.links) {
    const pairs = await readLinks(env, field, rows, room)
    if (pairs === null) return null
    const targets = [...new Set([...pairs.values()].flat())]
    const known = isOnlyId(field, further) ? idsAlone(targets) : await readNeeds(env, further, targets, room)
    if (known === null) return null
    linked.set(name, (id) => (pairs.get(id) ?? []).flatMap((target) => known.get(target) ?? []))
  }
  for (const [id, values] of rows) {
    const links = [...linked].map(([name, of]) => [name, of(id)] as const)
    const own = lengthOf({ ...values, [LINKS]: Object.fromEntries(links.map(([name]) => [name, []])) })
    const chars = links.flatMap(([, those]) => those).reduce((sum, each) => sum + each.chars + 1, own)
    const records = Object.fromEntries(links.map(([name, those]) => [name, those.map((each) => each.values)]))
    found.set(id, { values: links.length === 0 ? values : { ...values, [LINKS]: records }, chars })
  }
  return found
}

const lengthOf = (values: RecordValues): number => JSON.stringify(values).length

/** Whether only the id of a linked record is needed, so that it is not read. `create_uid` and `write_uid` may refer to a deleted user. */
const isOnlyId = ({ system }: Field, { fields, links }: Needs): boolean =>
  !system && links.size === 0 && [...fields.keys()].every((name) => name === 'id')

const idsAlone = (ids: readonly number[]): RememberedRecords =>
  new Map(ids.map((id) => [id, { values: { id }, chars: lengthOf({ id }) }]))

type Values = Readonly<Record<string, unknown>>

/** The values of the records themselves, references as ids. */
async function readValues(
  env: Env,
  { model, fields, links }: Needs,
  ids: readonly number[],
  room: Room,
): Promise<ReadonlyMap<number, Values> | null> {
  if (ids.length > room.rows || room.statements === 0) return null
  room.rows -= ids.length
  room.statements--
  const scope = rootScope(env, modelOf(env, model))
  const references = [...links.values()].map(({ field }) => field).filter(({ column }) => column !== null)
  const asked = [...new Set([...fields.values(), ...references])].filter(({ name }) => name !== 'id')
  const columns = asked.map((field) => columnsOf(scope, field))
  if (columns.some((those) => those === null)) return null
  const selected = columns.flatMap((those) => those ?? [])
  const { rows } = await sql<Values & { id: number }>`
    select ${sql.join([sql`t.id`, ...selected.map(({ alias, expression }) => sql`${expression} as ${sql.id(alias)}`)])}
    from ${fromTable(scope)} where t.id = any(${ids}::int[])`.execute(env.tx)
  const isCut = (row: Values) => asked.some(({ name }) => row[longAlias(name)] === true)
  if (rows.some(isCut)) return null
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, ...Object.fromEntries(asked.map((field) => [field.name, valueIn(row, field)])) },
    ]),
  )
}

const longAlias = (name: string) => `${name}:long`

/** Null for a field without a column of its own. A long text is not read; a second column tells that it is long. */
function columnsOf(scope: TableScope, field: Field): readonly SelectedColumn[] | null {
  if (field.column === null) return null
  const column = columnOf(scope, field.column)
  switch (field.type.comparison) {
    case 'many2one':
      return [{ alias: field.name, expression: column }]
    case 'opaque':
      return [{ alias: field.name, expression: sql`case when ${column} is not null then true end` }]
    case 'text': {
      const isLong = sql<SqlBool>`octet_length(${column}) > ${LIMITS.rememberedTextBytes}::int`
      return [
        { alias: field.name, expression: sql`case when ${isLong} then null else ${column} end` },
        { alias: longAlias(field.name), expression: isLong },
      ]
    }
    default:
      return fieldColumns(scope, field)
  }
}

const valueIn = (row: Values, field: Field): unknown =>
  field.type.comparison === 'many2one' ? (row[field.name] ?? null) : wireValue(row, field)

/** The ids that each record links to. */
async function readLinks(
  env: Env,
  field: Field,
  records: ReadonlyMap<number, Values>,
  room: Room,
): Promise<ReadonlyMap<number, readonly number[]> | null> {
  const relation = field.relation!
  const pairs = new Map<number, number[]>()
  if (relation.kind === 'many2one') {
    for (const [id, values] of records)
      if (typeof values[field.name] === 'number') pairs.set(id, [values[field.name] as number])
    return pairs
  }
  if (room.statements === 0) return null
  room.statements--
  const { rows } = await sql<{ id: number; linked: number }>`
    ${linksOf(env, relation, [...records.keys()])} limit ${room.rows + 1}`.execute(env.tx)
  if (rows.length > room.rows) return null
  room.rows -= rows.length
  for (const { id, linked } of rows) {
    const those = pairs.get(id)
    if (those) those.push(linked)
    else pairs.set(id, [linked])
  }
  return pairs
}

function linksOf(env: Env, relation: Exclude<Relation, { kind: 'many2one' }>, ids: readonly number[]): Sql<unknown> {
  const [table, owner, linked] =
    relation.kind === 'one2many'
      ? [modelOf(env, relation.target).table, relation.inverse, 'id']
      : [relation.table, relation.left, relation.right]
  return sql`select ${sql.ref(owner)} as id, ${sql.ref(linked)} as linked from ${sql.table(table)}
    where ${sql.ref(owner)} = any(${ids}::int[])`
}
