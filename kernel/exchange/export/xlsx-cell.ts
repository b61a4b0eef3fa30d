import { headOf } from '../../domain/cut-text.ts'
import { createZone, wallTime, type Zone } from '../../domain/zone.ts'
import type { Env } from '../../env.ts'
import type { Field, FieldTypeName } from '../../model/fields/field.ts'
import { decimalText } from '../cell/cell-text.ts'
import { joinNames } from '../cell/name-list.ts'
import type { ExportColumn } from './columns.ts'

/** The formats of `styles.xml`, by their place in it. */
export const STYLE = { plain: 0, header: 1, integer: 2, decimal: 3, date: 4, datetime: 5 } as const

/** Value → the element of its cell; the empty text for an unset one is an empty cell. */
export type XlsxCell = (value: unknown) => string

const EMPTY = '<c/>'
const DAY_MS = 86_400_000
/** Day 0 of spreadsheets. Days before March 1900 would be off by one, so they stay text. */
const EPOCH = Date.UTC(1899, 11, 30)
const FIRST_DAY = Date.UTC(1900, 2, 1)
/** What a cell holds at most. */
const MAX_CHARS = 32_767

export const textCell = (text: string, style: number = STYLE.plain): string =>
  text === ''
    ? EMPTY
    : `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(fitting(text))}</t></is></c>`

/** What fits into a cell; a longer text says at its end that it was cut. */
export function fitting(text: string): string {
  if (text.length <= MAX_CHARS) return text
  const note = ` […${MAX_CHARS} of ${text.length} characters]`
  return headOf(text, MAX_CHARS - note.length) + note
}

const numberCell = (value: number, style: number) => `<c s="${style}"><v>${decimalText(value)}</v></c>`

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot hold are written as the format has it: `_x0008_`; text that looks like that gets its first letter escaped. */
export const escapeXml = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>"]/g, (char) => MARKUP[char]!)
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (char) => (isXml(char) ? char : `_x${hex4(char)}_`))

/** A carriage return would be read as a line feed. */
const isXml = (char: string) => /[\t\n\x7f-\x9f]/.test(char)
const hex4 = (char: string) => char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()

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
