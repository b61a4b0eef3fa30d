import type { Env } from '../../env.ts'
import type { Field, SelectedColumn } from '../../model/fields/field.ts'
import { wireValue } from '../../model/fields/wire.ts'
import { computeOnRead } from '../../orm/compute/compute.ts'
import { displayNames, fieldColumns } from '../../orm/record/project.ts'
import { columnOf, modelOf, type TableScope } from '../../orm/statement/scope.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { type ExportLeaf, type ExportNode, scopeOf } from './columns.ts'
import { externalIds } from './external-ids.ts'

/** A record of a node: the values of its leaves, and the ids its links lead to, both in the order of the node. */
export interface NodeRecord {
  readonly id: number
  readonly values: unknown[]
  readonly linked: (readonly number[])[]
}

/** How the records of a node are read: what a statement selects, and how its rows are converted. */
export interface NodeReader {
  /** One JSON array per row: parsing it takes a third of the time that the driver takes for as many columns. */
  readonly select: Sql<unknown>
  /** Whether a page of rows needs further statements. */
  readonly isDirect: boolean
  read(rows: readonly JsonRow[]): Promise<NodeRecord[]>
}

export type JsonRow = Readonly<Record<string, string>>

/** PostgreSQL takes at most 100 arguments in a call. */
const ARGUMENTS = 90

/** Reads one value of the parsed row, or one of the results that further statements gave for the record. */
type Take = (row: readonly unknown[]) => unknown

/** Types whose values the statement can shorten. */
const CUT: ReadonlySet<string> = new Set(['char', 'text', 'html'])

/** `chars`: how many characters of a text are read, by column; of a file then only its length as text. */
export function nodeReader(
  scope: TableScope,
  { leaves, links }: ExportNode,
  { chars = [] }: { readonly chars?: readonly number[] | undefined } = {},
): NodeReader {
  const { env } = scope
  const expressions: Sql<unknown>[] = [columnOf(scope, 'id')]
  const computed = new Set<Field>()
  const after: ((records: readonly NodeRecord[]) => Promise<void>)[] = []

  const place = (column: SelectedColumn): number => expressions.push(column.expression) - 1

  const cut = ({ field, column }: ExportLeaf, selected: SelectedColumn): SelectedColumn => {
    const { expression } = selected
    if (chars[column] === undefined) return selected
    if (field.type.summary !== null) return { ...selected, expression: sql`length(${expression})` }
    return CUT.has(field.type.name) ? { ...selected, expression: sql`left(${expression}, ${chars[column]})` } : selected
  }

  /** Where the ids of a link come from: a column, or a field computed after the statement. */
  const idsOf = (field: Field): Take => {
    const columns = fieldColumns(scope, field)
    if (columns === null) return laterOf(field)
    const at = place(columns[0]!)
    return (row) => row[at]
  }

  const laterOf = (field: Field): Take => {
    computed.add(field)
    return () => null
  }

  const takeLeaf = (leaf: ExportLeaf, index: number): Take => {
    const { field, form } = leaf
    const { relation } = field
    if (relation === null) {
      if (form === 'external') after.push((records) => nameLinks(env, leaf, index, records))
      const columns = fieldColumns(scopeOf(scope, leaf), field)
      return columns === null
        ? laterOf(field)
        : wireOf(
            field,
            columns.map((column) => place(cut(leaf, column))),
          )
    }
    const name = relation.kind === 'many2one' && form === 'name' ? fieldColumns(scope, field)?.[1] : undefined
    if (name !== undefined) {
      const at = place(name)
      return (row) => row[at]
    }
    after.push((records) => nameLinks(env, leaf, index, records))
    return idsOf(field)
  }

  const takes = leaves.map(takeLeaf)
  const takeLinks = links.map(({ field }) => idsOf(field))

  const isDirect = computed.size === 0 && after.length === 0 && links.length === 0
  const recordOf = (cells: readonly unknown[]): NodeRecord => {
    const values: unknown[] = new Array(takes.length)
    for (let i = 0; i < takes.length; i++) values[i] = takes[i]!(cells)
    const linked = takeLinks.length === 0 ? NO_LINKS : takeLinks.map((take) => idList(take(cells)))
    return { id: cells[0] as number, values, linked }
  }

  return {
    select: jsonColumns(expressions),
    isDirect,
    async read(rows) {
      const records = parseRows(rows).map(recordOf)
      if (computed.size > 0) await addComputed(scope, { leaves, links }, [...computed], records)
      for (const add of after) await add(records)
      return records
    },
  }
}

function jsonColumns(expressions: readonly Sql<unknown>[]): Sql<unknown> {
  const parts: Sql<unknown>[] = []
  for (let at = 0; at < expressions.length; at += ARGUMENTS)
    parts.push(
      sql`json_build_array(${sql.join(expressions.slice(at, at + ARGUMENTS))})::text as ${sql.id(`r${parts.length}`)}`,
    )
  return sql.join(parts)
}

const NO_LINKS: (readonly number[])[] = []

/** The cells of each row. Columns that are only `r0`, as in most exports, are parsed for all rows at once, which is faster. */
function parseRows(rows: readonly JsonRow[]): readonly (readonly unknown[])[] {
  if (rows[0]?.['r1'] !== undefined)
    return rows.map((row) => Object.values(row).flatMap((part) => JSON.parse(part) as unknown[]))
  let text = ''
  for (const row of rows) text += text === '' ? row['r0']! : `,${row['r0']!}`
  return JSON.parse(`[${text}]`) as unknown[][]
}

/** The wire value; most types store just that. JSON writes an instant with an offset. */
function wireOf(field: Field, places: readonly number[]): Take {
  const [at = 0] = places
  if (field.type.name === 'datetime') return (row) => instantOf(row[at])
  if (places.length === 1 && field.type.name !== 'boolean') return (row) => row[at] ?? null
  return (row) => wireValue({ [field.name]: row[at] }, field)
}

/** `2026-01-31T12:00:00.12+00:00` → `2026-01-31T12:00:00.120Z`. The session is in UTC. */
function instantOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (value.length === 25) return `${value.slice(0, 19)}.000Z`
  return `${value.slice(0, 19)}.${value.slice(20, value.indexOf('+')).padEnd(3, '0')}Z`
}

const idList = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value : typeof value === 'number' ? [value] : []

async function addComputed(
  { env, model }: TableScope,
  { leaves, links }: Pick<ExportNode, 'leaves' | 'links'>,
  fields: readonly Field[],
  records: readonly NodeRecord[],
): Promise<void> {
  const ids = records.map(({ id }) => id)
  const results = await computeOnRead(env, model, fields, ids, { areRead: true })
  const wire = (field: Field, id: number) => {
    const value = results.get(field.name)?.get(id) ?? null
    return field.relation === null ? wireValue({ [field.name]: value }, field) : value
  }
  for (const record of records) {
    leaves.forEach(({ field }, i) => {
      if (fields.includes(field)) record.values[i] = wire(field, record.id)
    })
    links.forEach(({ field }, i) => {
      if (fields.includes(field)) record.linked[i] = idList(wire(field, record.id))
    })
  }
}

/** Replaces the ids of a leaf by names or external ids of the records, as far as the caller may read them. */
async function nameLinks(
  env: Env,
  { field, form }: ExportLeaf,
  index: number,
  records: readonly NodeRecord[],
): Promise<void> {
  const isOne = field.relation === null || field.relation.kind === 'many2one'
  const target = modelOf(env, field.relation?.target ?? field.model)
  const ids = [...new Set(records.flatMap(({ values }) => idList(values[index])))]
  if (form === 'database') {
    if (!isOne) for (const { values } of records) values[index] = idList(values[index]).map(String)
    return
  }
  const names = ids.length === 0 ? new Map<number, string>() : await NAMES[form](env, target, ids)
  for (const { values } of records) {
    const own = idList(values[index]).flatMap((id) => names.get(id) ?? [])
    values[index] = isOne ? (own[0] ?? null) : own
  }
}

const NAMES = { name: displayNames, external: externalIds } as const
