import type { DatePart, Scalar } from '../model/models.ts'
import { type Sql, type SqlBool, sql } from '../sql/sql.ts'
import { type Comparison, type Inequality, isPattern, type PatternOperator, type Span, valuesOf } from './ast.ts'
import type { RowContext } from './compile.ts'
import { displayNameSql } from './display-name.ts'
import { isWholeNumber } from './operand.ts'
import { isFolded, patternOf, patternToSql } from './pattern.ts'
import { translatedColumn } from './translated-column.ts'

type Operand = Sql<unknown>

export function compileComparison(node: Comparison, row: RowContext, negated: boolean): Sql<SqlBool> {
  const { field, part } = node
  const operand = part === null ? columnOf(node, row) : PARTS[part](localTime(node, row))
  if (field.type.comparison === 'boolean') return compileBoolean(operand, valuesOf(node), negated)
  if (node.operator === 'within') return compileWithin(operand, node.value, negated)
  if (node.operator === 'in') return compileIn(node, operand, node.value, negated)
  const { operator, value } = node
  if (value === null) return isNull(operand, negated)
  const bound = bindingOf(node).one(value)
  if (operator === '=') return negated ? sql`${operand} is distinct from ${bound}` : sql`${operand} = ${bound}`
  const condition = isPattern(operator)
    ? compilePattern(operand, operator, String(value))
    : sql<SqlBool>`${inOrder(node, operand)} ${SIGNS[operator]} ${bound}`
  return negated ? sql`(${condition}) is not true` : condition
}

function columnOf({ model, field }: Comparison, { registry, alias, id, words }: RowContext): Operand {
  if (field.name === 'id') return sql.ref(`${alias}.${id}`)
  if (field.name === 'display_name') return displayNameSql(registry.model(model)!, alias, words)
  return translatedColumn(alias, field, words.lang)
}

/**
 * How values of a type are bound, singly and as a list. The value is cast, not the column, so that an index on the column can
 * be used.
 */
interface Binding {
  readonly one: (value: Scalar) => Operand
  readonly list: (values: readonly Scalar[]) => Operand
}

const BINDINGS = {
  text: { one: (value) => sql`${value}::text`, list: (values) => sql`${sql.val(values)}::text[]` },
  whole: { one: (value) => sql`${value}::bigint`, list: (values) => sql`${sql.val(values)}::bigint[]` },
  decimal: { one: (value) => sql`${value}::numeric`, list: (values) => sql`${sql.val(values)}::numeric[]` },
  date: { one: (value) => sql`${value}::date`, list: (values) => sql`${sql.val(values)}::date[]` },
  datetime: { one: (value) => sql`${value}::timestamptz`, list: (values) => sql`${sql.val(values)}::timestamptz[]` },
} satisfies Readonly<Record<string, Binding>>

function bindingOf({ field, part }: Comparison): Binding {
  if (part !== null) return BINDINGS.decimal
  const { comparison } = field.type
  if (comparison === 'date' || comparison === 'datetime') return BINDINGS[comparison]
  if (comparison === 'many2one' || isWholeNumber({ field })) return BINDINGS.whole
  return comparison === 'number' ? BINDINGS.decimal : BINDINGS.text
}

const SIGNS: Readonly<Record<Inequality, Operand>> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

/** Text is compared by code point, as in the in-memory engine. */
const inOrder = ({ field, part }: Comparison, operand: Operand): Operand =>
  field.type.comparison === 'text' && part === null ? sql`${operand} collate "C"` : operand

const isNull = (operand: Operand, negated: boolean): Sql<SqlBool> =>
  negated ? sql`${operand} is not null` : sql`${operand} is null`

function compileIn(node: Comparison, operand: Operand, values: readonly Scalar[], negated: boolean) {
  const present = values.filter((value) => value !== null)
  const withNull = present.length < values.length
  if (present.length === 0) return withNull ? isNull(operand, negated) : constant(negated)
  const list = bindingOf(node).list(present)
  if (withNull) return negated ? sql<SqlBool>`${operand} <> all(${list})` : orNull(operand, list)
  return negated ? sql<SqlBool>`(${operand} = any(${list})) is not true` : sql<SqlBool>`${operand} = any(${list})`
}

const orNull = (operand: Operand, list: Operand) => sql<SqlBool>`(${operand} = any(${list}) or ${operand} is null)`

const constant = (value: boolean): Sql<SqlBool> => (value ? sql`true` : sql`false`)

/**
 * One span becomes two bounds, which can use an index; several become one bound value, so that their number does not change
 * the SQL text.
 */
function compileWithin(operand: Operand, spans: readonly Span[], negated: boolean): Sql<SqlBool> {
  const [first, ...others] = spans
  const condition =
    first !== undefined && others.length === 0
      ? sql<SqlBool>`${operand} >= ${first.from}::timestamptz and ${operand} < ${first.to ?? 'infinity'}::timestamptz`
      : sql<SqlBool>`${operand} <@ ${multirange(spans)}::tstzmultirange`
  return negated ? sql`(${condition}) is not true` : sql`(${condition})`
}

const multirange = (spans: readonly Span[]) => `{${spans.map(({ from, to }) => `[${from},${to ?? ''})`).join(',')}}`

/** A null column counts as false. */
function compileBoolean(operand: Operand, values: readonly Scalar[], negated: boolean): Sql<SqlBool> {
  const yes = values.includes(true) !== negated
  const no = values.includes(false) !== negated
  if (yes === no) return constant(yes)
  return yes ? sql`${operand} is true` : sql`${operand} is not true`
}

/** Uses the same folding expression as the trigram index of the column. */
function compilePattern(operand: Operand, operator: PatternOperator, value: string) {
  const pattern = sql`${patternToSql(patternOf(operator, value))}::text`
  return isFolded(operator)
    ? sql<SqlBool>`svc_fold(${operand}) like ${pattern}`
    : sql<SqlBool>`${operand} like ${pattern}`
}

const PARTS: Readonly<Record<DatePart, (local: Operand) => Operand>> = {
  year: (local) => sql`extract(year from ${local})`,
  quarter: (local) => sql`extract(quarter from ${local})`,
  month: (local) => sql`extract(month from ${local})`,
  week: (local) => sql`extract(week from ${local})`,
  day: (local) => sql`extract(day from ${local})`,
  weekday: (local) => sql`extract(isodow from ${local})`,
  hour: (local) => sql`extract(hour from ${local})`,
}

/** The local time in the caller's zone; a date is used as it is. */
function localTime(node: Comparison, row: RowContext): Operand {
  const column = columnOf(node, row)
  return node.field.type.comparison === 'datetime' ? sql`(${column} at time zone ${row.tz}::text)` : column
}
