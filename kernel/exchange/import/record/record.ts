import { headOf } from '../../../domain/cut-text.ts'
import type { Env } from '../../../env.ts'
import { AppError } from '../../../errors.ts'
import { type Field, Refusal } from '../../../model/fields/field.ts'
import type { Model } from '../../../model/registry.ts'
import { parseNew } from '../../../orm/record/create.ts'
import type { ParsedValues } from '../../../orm/statement/values.ts'
import { LIGHT_SLICE, slicesOf } from '../../../slices.ts'
import { databaseId } from '../../cell/database-id.ts'
import { unguardFormula } from '../../cell/formula-guard.ts'
import { splitNames } from '../../cell/name-list.ts'
import { type Column, namedModel } from '../column/column.ts'
import type { ImportSheet, SheetRow } from '../file/sheet.ts'
import type { Found } from './lookup.ts'
import { type CellReader, cellReader } from './parse-cell.ts'
import { none, Unfound } from './unfound.ts'

/** Why a row cannot be imported. */
export interface Problem {
  /** As a spreadsheet numbers it. */
  readonly row: number
  /** Header of the column; null: the row as a whole. */
  readonly column: string | null
  readonly value: string
  readonly message: string
}

/** A record of the file: its row and, for its lines, those that follow. */
export interface ImportRecord {
  readonly rows: readonly SheetRow[]
  /** Wire values of its own fields. */
  readonly values: Readonly<Record<string, unknown>>
  /** Wire values of the lines, by one2many; a line that exists has its id. */
  readonly lines: ReadonlyMap<string, readonly Line[]>
  /** External or database id in the file. */
  readonly identity: string | null
  readonly problems: readonly Problem[]
  /** A column says that rows like this one are left out. */
  readonly isSkipped: boolean
  /** A record of the file that this one refers to and that is not imported yet. */
  readonly awaits: AwaitedName | null
  /** Links to records of the file that are set after all of those are imported. */
  readonly after: readonly AwaitedName[]
}

/** A record together with its own values as they are stored; null if it has problems or waits. The values are not kept with the record. */
export interface ReadRecord {
  readonly record: ImportRecord
  readonly parsed: ParsedValues | null
}

/** A text that names a record, and its column. */
export interface AwaitedName {
  readonly column: Column
  readonly text: string
}

export interface Line {
  readonly id: number | null
  readonly values: Readonly<Record<string, unknown>>
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

/** Blanks are a text like any other; in all other fields they mean nothing. */
const isUnset = ({ type }: Field, cell: string | undefined): boolean =>
  type.comparison === 'text' ? !cell : isBlank(cell)

/** The rows of each record: a row in which only columns of lines are filled continues the record above it. */
export async function groupRows(
  env: Env,
  { rows }: ImportSheet,
  columns: readonly Column[],
): Promise<readonly (readonly SheetRow[])[]> {
  const own = columns.filter(({ line }) => line === null)
  const hasLines = own.length < columns.length
  const groups: SheetRow[][] = []
  for await (const slice of slicesOf(env, rows, LIGHT_SLICE)) {
    for (const row of slice) {
      const continues = hasLines && groups.length > 0 && own.every(({ index }) => isBlank(row.cells[index]))
      if (continues) groups.at(-1)!.push(row)
      else groups.push([row])
    }
  }
  return groups
}

/** The texts of each relation column that name records. */
export async function linkTexts(
  env: Env,
  groups: readonly (readonly SheetRow[])[],
  columns: readonly Column[],
): Promise<ReadonlyMap<Column, ReadonlySet<string>>> {
  const texts = new Map<Column, Set<string>>()
  for (const column of columns) {
    if (namedModel(column) === null) continue
    const found = new Set<string>()
    for await (const slice of slicesOf(env, groups, LIGHT_SLICE))
      for (const { cells } of slice.flat()) for (const text of namesInCell(column, cells[column.index])) found.add(text)
    texts.set(column, found)
  }
  return texts
}

/** The names in a cell. */
export function namesInCell({ field, form }: Column, cell: string | undefined): readonly string[] {
  if (isBlank(cell)) return []
  if (field?.relation?.kind !== 'many2many') return [form === 'name' ? unguardFormula(cell!) : cell!.trim()]
  return splitNames(unguardFormula(cell!))
}

/** Whether cells of a record or its lines decide that it is left out or waits. */
interface Said {
  isSkipped: boolean
  awaits: AwaitedName | null
  after: AwaitedName[]
}

/** Read from a cell that gives no value, because the record is left out or waits. */
const NO_VALUE = Symbol('no value')

export type Links = ReadonlyMap<Column, ReadonlyMap<string, Found>>

/** Whether a link to a record that is not imported yet can be set later. Without such a function, the record with the link waits. */
export type IsSetAfter = (name: AwaitedName) => boolean

/** Turns rows into records, which carry their problems. */
export function recordReader(
  env: Env,
  model: Model,
  columns: readonly Column[],
  links: Links,
  width: number,
  isSetAfter: IsSetAfter | null = null,
) {
  const own = columns.filter(({ line }) => line === null)
  const identity = own.find(({ field }) => field === null)
  const lineFields = new Set(columns.flatMap(({ line }) => line ?? []))
  const byLine = [...lineFields].map((field) => ({ field, those: columns.filter(({ line }) => line === field) }))
  const readers = new Map<Column, CellReader>()
  for (const column of columns)
    if (column.field && !column.field.relation) readers.set(column, cellReader(env, column.field, column.format))

  /** The wire value of a cell; without one, what it decides about the row is noted in `said`. */
  const readCell = (column: Column, cell: string | undefined, said: Said): unknown => {
    const { relation } = column.field!
    if (relation === null) return isUnset(column.field!, cell) ? null : readers.get(column)!(cell!)
    const ids: number[] = []
    for (const text of namesInCell(column, cell)) {
      const found = links.get(column)!.get(text)!
      if (found instanceof Unfound) throw found.refusal()
      if (found === 'skip') said.isSkipped = true
      else if (found === 'later' && isSetAfter === null) said.awaits ??= { column, text }
      else if (found === 'later') {
        if (!isSetAfter!({ column, text })) throw none(text).refusal()
        said.after.push({ column, text })
      } else if (found !== 'empty') ids.push(found)
    }
    if (said.isSkipped || said.awaits !== null) return NO_VALUE
    if (relation.kind === 'many2one' && said.after.at(-1)?.column === column) return NO_VALUE
    return relation.kind === 'many2one' ? (ids[0] ?? null) : [[6, 0, ids]]
  }

  const readValues = (those: readonly Column[], row: SheetRow, problems: Problem[], said: Said) => {
    const values: Record<string, unknown> = {}
    for (const column of those) {
      if (column.field === null) continue
      const cell = row.cells[column.index]
      try {
        const value = readCell(column, cell, said)
        if (value !== NO_VALUE) values[column.field.name] = value
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        problems.push(rowProblem(row, column, env.t(error.sentence, error.values)))
      }
    }
    return values
  }

  const readLine = (those: readonly Column[], row: SheetRow, problems: Problem[], said: Said): Line => {
    const identity = those.find(({ field }) => field === null)
    const text = identity === undefined ? '' : (row.cells[identity.index]?.trim() ?? '')
    const id = text === '' ? null : lineId(identity!, text)
    if (id instanceof Unfound) problems.push(rowProblem(row, identity!, env.t(id.sentence, id.values)))
    return { id: id instanceof Unfound ? null : id, values: readValues(those, row, problems, said) }
  }

  const lineId = (identity: Column, text: string): number | Unfound => {
    const found = identity.form === 'id' ? links.get(identity)!.get(text)! : databaseId(text)
    return found instanceof Unfound || typeof found === 'number' ? found : none(text)
  }

  return (rows: readonly SheetRow[]): ReadRecord => {
    const [first] = rows as readonly [SheetRow]
    const problems: Problem[] = []
    for (const row of rows)
      if (isTooWide(row, width)) problems.push(rowProblem(row, null, env.t('The row has more cells than the header.')))
    const said: Said = { isSkipped: false, awaits: null, after: [] }
    const values = readValues(own, first, problems, said)
    const lines = new Map<string, Line[]>()
    for (const { field, those } of byLine) {
      const filled = rows.filter(({ cells }) => those.some(({ index }) => !isBlank(cells[index])))
      lines.set(
        field.name,
        filled.map((row) => readLine(those, row, problems, said)),
      )
    }
    const id = identity === undefined ? '' : (first.cells[identity.index]?.trim() ?? '')
    const parsed =
      problems.length === 0 && said.awaits === null ? parseOwn(env, model, columns, first, values, problems) : null
    return { record: { rows, values, lines, identity: id === '' ? null : id, problems, ...said }, parsed }
  }
}

/** Whether there are cells beyond the header; blank ones are allowed, since a spreadsheet may have been wider before. */
const isTooWide = ({ cells }: SheetRow, width: number): boolean =>
  cells.length > width && cells.slice(width).some((cell) => !isBlank(cell))

export function rowProblem(row: SheetRow, column: Column | null, message: string): Problem {
  const value = column === null ? '' : (row.cells[column.index] ?? '')
  return { row: row.number, column: column?.header ?? null, value: headOf(value, 200), message }
}

/** The values as they are stored. Values that the fields refuse, for example as too long, are added to the problems. */
function parseOwn(
  env: Env,
  model: Model,
  columns: readonly Column[],
  row: SheetRow,
  values: ImportRecord['values'],
  problems: Problem[],
): ParsedValues | null {
  try {
    return parseNew(env, model, values)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'VALIDATION')) throw error
    problems.push(...problemsIn(error, columns, row))
    return null
  }
}

/** The problems of an error, each with the column of its field if the file has one. */
export function problemsIn(error: AppError, columns: readonly Column[], row: SheetRow): readonly Problem[] {
  const fields = (error.details['fields'] ?? {}) as Readonly<Record<string, string>>
  const named = Object.entries(fields)
  if (named.length === 0) return [rowProblem(row, null, error.message)]
  return named.map(([name, message]) => {
    const own = columns.find(({ field, line }) => field?.name === name && line === null)
    const column = own ?? columns.find(({ field, line }) => field?.name === name || line?.name === name)
    return column ? rowProblem(row, column, message) : rowProblem(row, null, `${name}: ${message}`)
  })
}
