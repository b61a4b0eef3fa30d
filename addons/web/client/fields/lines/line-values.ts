import type { WireField } from '../../../../../kernel/view/wire.ts'
import type { Scope } from '../../core/expression.ts'
import { dayOf } from '../../core/format.ts'
import type { FieldRecord } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { isInvalidText, validValueOf, withoutInvalidTexts } from '../../store/invalid-text.ts'
import { type RecordEntry, type Values, valuesOf } from '../../store/records.ts'
import { editLine, type Lines, linkedRows } from '../../store/x2many.ts'
import type { LinesArch } from './columns.ts'

const isX2many = ({ type }: WireField): boolean => type === 'one2many' || type === 'many2many'

const idsOf = (value: unknown): readonly number[] => linkedRows([], value)

/** The value a line shows: the edited value, otherwise the saved one. */
export function lineValue(lines: Lines, row: number, entry: RecordEntry | null, field: WireField): unknown {
  const typed = lines.values[row]
  const base = entry === null ? null : (valuesOf(entry).value[field.name] ?? null)
  const value = typed !== undefined && field.name in typed ? validValueOf(typed[field.name]) : base
  return isX2many(field) ? linkedRows(idsOf(base), value ?? []) : (value ?? null)
}

export interface LineRecordOptions {
  readonly arch: LinesArch
  readonly field: string
  readonly parent: FieldRecord
  readonly row: number
  readonly entry: RecordEntry | null
  readonly lines: () => Lines
}

/** A line as a `FieldRecord`, the form in which widgets read it. */
export function recordOfLine({ arch, field, parent, row, entry, lines }: LineRecordOptions): FieldRecord {
  const byName = new Map(arch.fields.map((each) => [each.name, each]))
  return {
    model: arch.model,
    id: row > 0 ? row : null,
    parent,
    get(name) {
      const known = byName.get(name)
      return known ? lineValue(lines(), row, entry, known) : entry && (valuesOf(entry).value[name] ?? null)
    },
    related: (name) => parent.related?.(`${field}.${name}`),
  }
}

/** The values the conditions of a line are evaluated on. */
export function scopeOfLine(arch: LinesArch, record: FieldRecord): Scope {
  const { parent } = record
  const { id: uid } = services().session.bootstrap.user
  const today = dayOf(new Date().toISOString())
  return {
    values: { id: record.id, ...Object.fromEntries(arch.fields.map(({ name }) => [name, record.get(name)])) },
    uid,
    today,
    ...(parent && {
      parent: {
        values: { id: parent.id, ...Object.fromEntries(arch.parentNames.map((name) => [name, parent.get(name)])) },
        uid,
        today,
      },
    }),
  }
}

/** The edited values of a line in wire format, with links as ids. */
export const lineToWire = (values: Values | undefined): Values =>
  Object.fromEntries(
    Object.entries(withoutInvalidTexts(values ?? {})).map(([name, value]) => [name, isPair(value) ? value[0] : value]),
  )

const isPair = (value: unknown): value is readonly [number, string | null] =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'number' &&
  typeof value[1] !== 'number' &&
  !Array.isArray(value[1])

/** Applies the response of an onchange to a line. Links come as commands, which are applied to the current links. */
export function applyAnswer(
  lines: Lines,
  row: number,
  answer: Values,
  fields: readonly WireField[],
  shown: (field: WireField) => unknown,
): Lines {
  const values = Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => {
      const field = fields.find((each) => each.name === name)
      if (!field || isInvalidText(lines.values[row]?.[name])) return []
      return [[name, isX2many(field) ? linkedRows(idsOf(shown(field)), value) : value]]
    }),
  )
  return Object.keys(values).length === 0 || !lines.rows.includes(row) ? lines : editLine(lines, row, values)
}
