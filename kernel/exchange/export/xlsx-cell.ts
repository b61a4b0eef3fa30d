import { createZone, wallTime, type Zone } from '../../domain/zone.ts'
import type { Env } from '../../env.ts'
import type { Field, FieldTypeName } from '../../model/fields/field.ts'
import { joinNames } from '../cell/name-list.ts'
import { EMPTY, numberCell, STYLE, textCell, type XlsxCell } from '../workbook/cell.ts'
import type { ExportColumn } from './columns.ts'

const DAY_MS = 86_400_000
/** Day 0 of spreadsheets. Days before March 1900 would be off by one, so they stay text. */
const EPOCH = Date.UTC(1899, 11, 30)
const FIRST_DAY = Date.UTC(1900, 2, 1)

const number =
  (style: number): XlsxCell =>
  (value) =>
    numberCell(value as number, style)

const text: XlsxCell = (value) => textCell(Array.isArray(value) ? joinNames(value) : String(value))

const CELLS: Partial<Record<FieldTypeName, XlsxCell>> = {
  integer: number(STYLE.integer),
  float: number(STYLE.plain),
  monetary: number(STYLE.decimal),
  boolean: (value) => `<c t="b"><v>${value === true ? 1 : 0}</v></c>`,
  date: (value) => dayCell(Date.parse(`${value}T00:00:00Z`), STYLE.date, value),
  json: (value) => textCell(JSON.stringify(value)),
}

const dayCell = (wall: number, style: number, value: unknown): string =>
  wall < FIRST_DAY || Number.isNaN(wall) ? textCell(String(value)) : numberCell((wall - EPOCH) / DAY_MS, style)

/** Real numbers, dates and times (in the zone of the caller); text is never run, since it is marked as text. */
export function xlsxCell(env: Env, { field, form }: ExportColumn, labels: boolean): XlsxCell {
  const cell =
    form === 'external'
      ? text
      : (ofSelection(env, field, labels) ?? ofTime(env, field) ?? CELLS[field.type.name] ?? text)
  return (value) => (value === null || value === undefined ? EMPTY : cell(value))
}

function ofSelection({ t }: Env, { selection }: Field, labels: boolean): XlsxCell | null {
  return labels && selection !== null ? (value) => textCell(t(selection.get(value as string) ?? String(value))) : null
}

function ofTime({ tz }: Env, { type }: Field): XlsxCell | null {
  if (type.name !== 'datetime') return null
  const zone: Zone = createZone(tz)
  return (value) => dayCell(wallTime(zone, Date.parse(value as string)), STYLE.datetime, value)
}
