import type { FieldTypeName } from '../../model/fields/field.ts'
import { fieldColumns } from '../../orm/record/project.ts'
import type { TableScope } from '../../orm/statement/scope.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import type { Leaf } from './columns.ts'

/** Between the cells of a row; a row with this character in one of its texts is written as JSON. */
const SEPARATOR = '\u001f'
const SEPARATOR_SQL = sql`E'\\x1f'`
/** PostgreSQL takes at most 100 arguments in a call; each cell is one, with its separator two. */
const MAX_CELLS = 45

type Written = (column: Sql<unknown>) => Sql<unknown>
const asItIs: Written = (column) => column

/** Types whose cells PostgreSQL writes as text, and how. */
const WRITTEN: Partial<Record<FieldTypeName, Written>> = {
  char: asItIs,
  text: asItIs,
  html: asItIs,
  selection: asItIs,
  integer: asItIs,
  date: asItIs,
  datetime: asItIs,
  boolean: (column) => sql`case when ${column} then 'true' else 'false' end`,
}

const TEXTS: ReadonlySet<FieldTypeName> = new Set(['char', 'text', 'html', 'selection'])

/** A row of texts instead of JSON, which is faster to write and to read; unset values are empty texts. */
export interface TextRows {
  /** The texts of a row, or what `json` selects of one that has a separator in it. */
  select(json: Sql<unknown>): Sql<unknown>
  /** The cells of a row in the order of the leaves; null if it is JSON. */
  read(row: Readonly<Record<string, string>>): string[] | null
}

/** Null if a leaf cannot be read like this. */
export function textRows(scope: TableScope, leaves: readonly Leaf[]): TextRows | null {
  const cells: Sql<unknown>[] = []
  const odd: Sql<SqlBool>[] = []
  const own: number[] = []
  const instants: number[] = []
  // A name takes a look at another table, so it is asked for once, in a column of its own.
  const names: { readonly index: number; readonly key: string; readonly column: Sql<unknown> }[] = []
  for (const [index, { field, form }] of leaves.entries()) {
    const type = field.type.name
    const columns = form === 'external' ? null : fieldColumns(scope, field)
    if (columns === null) return null
    if (field.relation?.kind === 'many2one' && form === 'name') {
      const key = `n${names.length}`
      names.push({ index, key, column: sql`coalesce(${columns[1]!.expression}, '') as ${sql.id(key)}` })
      continue
    }
    const [column, ...more] = columns
    const write = WRITTEN[type]
    if (column === undefined || more.length > 0 || write === undefined) return null
    if (TEXTS.has(type)) odd.push(sql<SqlBool>`strpos(${column.expression}, ${SEPARATOR_SQL}) > 0`)
    if (type === 'datetime') instants.push(index)
    cells.push(sql`${SEPARATOR_SQL}, ${write(column.expression)}`)
    own.push(index)
  }
  if (cells.length === 0 || cells.length > MAX_CELLS) return null
  const text = sql`concat(${sql.join(cells)})`
  return {
    select(json) {
      const row = odd.length === 0 ? text : sql`case when ${sql.join(odd, sql` or `)} then ${json} else ${text} end`
      return sql.join([sql`${row} as r0`, ...names.map(({ column }) => column)])
    },
    read(row) {
      const text = row['r0']!
      if (text[0] !== SEPARATOR) return null
      const values: string[] = new Array(leaves.length)
      const texts = text.split(SEPARATOR)
      for (let i = 0; i < own.length; i++) values[own[i]!] = texts[i + 1]!
      for (const { index, key } of names) values[index] = row[key]!
      for (const index of instants) values[index] = instantOf(values[index]!)
      return values
    },
  }
}

/** `2026-01-31 12:00:00.12+00` → `2026-01-31T12:00:00.120Z`. The session is in UTC and writes dates as ISO 8601 does. */
function instantOf(text: string): string {
  if (text === '') return ''
  const instant = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  return text.length === 22 ? `${instant}Z` : `${instant}.${text.slice(20, -3).padEnd(3, '0')}Z`
}
