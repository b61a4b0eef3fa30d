import { headOf } from '../../../domain/cut-text.ts'
import type { Env } from '../../../env.ts'
import { LIGHT_SLICE, slicesOf } from '../../../slices.ts'
import type { Column } from '../column/column.ts'
import { guessDateFormat } from '../column/date-format.ts'
import { guessNumberFormat } from '../column/number-format.ts'
import type { ImportSheet } from '../file/sheet.ts'

/** What the user sees of a column before it is mapped. */
export interface ColumnSample {
  readonly header: string
  readonly kind: 'empty' | 'number' | 'date' | 'boolean' | 'email' | 'text'
  /** The first different texts. */
  readonly samples: readonly string[]
  /** Rows in which the column is not blank. */
  readonly filled: number
  /** It was mapped like this in an earlier import. */
  readonly isRemembered?: true
  /** A field with a similar name, for a column that is not mapped. */
  readonly similar?: string
}

const SAMPLES = 4
const SAMPLE_CHARS = 60
/** Rows that a format is guessed from. */
const GUESS_ROWS = 2_000

/** The texts of a column in the first rows, without blank ones. */
export function sampleTexts({ rows }: ImportSheet, index: number): readonly string[] {
  const texts: string[] = []
  for (const { cells } of rows.slice(0, GUESS_ROWS)) {
    const text = cells[index]?.trim() ?? ''
    if (text !== '') texts.push(text)
  }
  return texts
}

const KINDS: readonly (readonly [ColumnSample['kind'], RegExp])[] = [
  ['boolean', /^(?:true|false|yes|no|y|n)$/i],
  ['date', /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[T ].{1,20})?$/],
  // Blanks may only separate thousands, and a plus before many digits or groups of digits begins a phone number.
  ['number', /^(?!\+[\s\d]*\d\s+\d|\+\d{7})[-+(]?[\s€$£¥]*\d+(?:[.,'’]\d+|\s\d{3}(?!\d))*[.,]?[\s€$£¥)]*$/],
  ['email', /^[^\s@]+@[^\s@]+$/],
]

const kindOf = (texts: readonly string[]): ColumnSample['kind'] => {
  if (texts.length === 0) return 'empty'
  return KINDS.find(([, pattern]) => texts.every((text) => text.length <= 100 && pattern.test(text)))?.[0] ?? 'text'
}

export async function sampleColumns(env: Env, sheet: ImportSheet): Promise<readonly ColumnSample[]> {
  const filled = sheet.headers.map(() => 0)
  for await (const slice of slicesOf(env, sheet.rows, LIGHT_SLICE / 4)) {
    for (const { cells } of slice)
      for (const index of filled.keys()) if ((cells[index]?.trim() ?? '') !== '') filled[index]!++
  }
  return sheet.headers.map((header, index) => {
    const texts = sampleTexts(sheet, index)
    const samples = [...new Set(texts)].slice(0, SAMPLES).map((text) => headOf(text, SAMPLE_CHARS))
    return { header, kind: kindOf(texts), samples, filled: filled[index]! }
  })
}

/** The columns with the formats of their numbers and dates, where the mapping names none. */
export const guessFormats = (env: Env, sheet: ImportSheet, columns: readonly Column[]): readonly Column[] =>
  columns.map((column) => (column.format === null ? { ...column, format: formatOf(env, sheet, column) } : column))

export function formatOf(
  env: Env,
  sheet: ImportSheet,
  { field, index }: Pick<Column, 'field' | 'index'>,
): string | null {
  const kind = field?.type.comparison
  if (kind === 'number') return guessNumberFormat(sampleTexts(sheet, index))
  return kind === 'date' || kind === 'datetime' ? guessDateFormat(sampleTexts(sheet, index), env.lang) : null
}
