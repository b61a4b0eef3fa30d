import { isRelated } from '../../domain/relation.ts'
import { selectionLabelSql } from '../../domain/selection-label.ts'
import type { FieldTypeName } from '../../model/fields/field.ts'
import { fieldColumns } from '../../orm/record/project.ts'
import { joinDisplayName } from '../../orm/statement/read-source.ts'
import { columnOf, type TableScope } from '../../orm/statement/scope.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { type ExportLeaf, type ExportNode, scopeOf } from './columns.ts'

/** Written after each cell of a row. */
export const SEPARATOR = '\u001f'
const SEPARATOR_SQL = sql`E'\\x1f'`

/** How the text that PostgreSQL returns for a cell is written: as text with quotes and guard, as it is, or as an instant of ISO 8601. */
export type PlainCell = 'text' | 'bare' | 'instant'

const PLAIN: Partial<Record<FieldTypeName, PlainCell>> = {
  char: 'text',
  text: 'text',
  html: 'text',
  selection: 'text',
  integer: 'bare',
  boolean: 'bare',
  date: 'bare',
  datetime: 'instant',
}

/** Records of which PostgreSQL writes a whole row as one text; unset values are empty ones. */
export interface PlainRows {
  /** A column `line`: each cell with a separator behind it, and the id of the record. */
  readonly select: Sql<unknown>
  readonly joins: Sql<unknown>
  /** In the order of the columns. */
  readonly cells: readonly PlainCell[]
}

/** Null if a row needs more than one statement, or a value more than a conversion to text. */
export function plainRows(scope: TableScope, { leaves, links }: ExportNode, labels: boolean): PlainRows | null {
  if (links.length > 0) return null
  const joins: Sql<unknown>[] = []
  const texts: Sql<unknown>[] = []
  const cells: PlainCell[] = []
  for (const leaf of leaves) {
    const name = nameOf(scope, leaf, `n${joins.length}`)
    if (name !== null) joins.push(name.join)
    const column = name?.name ?? columnText(scope, leaf, labels)
    if (column === null) return null
    texts.push(sql`coalesce(${column}, '') || ${SEPARATOR_SQL}`)
    cells.push(name === null && leaf.field.relation !== null ? 'bare' : (PLAIN[leaf.field.type.name] ?? 'text'))
  }
  const line = concat([...texts, sql`${columnOf(scope, 'id')}::text`])
  return { select: sql`${line} as line`, joins: sql.join(joins, sql` `), cells }
}

/** The name of a linked record, read with a join: it takes a fifth of the time of a subquery for each row. */
function nameOf(scope: TableScope, { field, form }: ExportLeaf, alias: string) {
  if (form !== 'name' || field.relation?.kind !== 'many2one' || field.column === null || isRelated(field)) return null
  return joinDisplayName(scope, field.relation, field.column, alias)
}

function columnText(scope: TableScope, leaf: ExportLeaf, labels: boolean): Sql<unknown> | null {
  const { field, form } = leaf
  if (form === 'external') return null
  const [column, ...more] = fieldColumns(scopeOf(scope, leaf), field) ?? []
  if (column === undefined) return null
  if (field.relation?.kind === 'many2one' && form === 'database') return sql`${column.expression}::text`
  if (more.length > 0 || PLAIN[field.type.name] === undefined) return null
  if (field.type.name === 'boolean') return sql`case when ${column.expression} then 'true' else 'false' end`
  if (labels && field.selection !== null) {
    return field.selection.size === 0 ? null : selectionLabelSql(column.expression, field.selection, scope.env.t)
  }
  return sql`${column.expression}::text`
}

/** Concatenates by halves: from left to right, each text would be copied once for each one after it. */
function concat(texts: readonly Sql<unknown>[]): Sql<unknown> {
  if (texts.length === 1) return texts[0]!
  const half = texts.length >> 1
  return sql`(${concat(texts.slice(0, half))} || ${concat(texts.slice(half))})`
}
