import { headOf } from '../../../domain/cut-text.ts'
import { Refusal } from '../../../model/fields/field.ts'

/** How a column writes numbers, as an example a person recognises. */
export const NUMBER_FORMATS = ['1,234.56', '1.234,56'] as const
export type NumberFormat = (typeof NUMBER_FORMATS)[number]

const decimalOf = (format: NumberFormat): '.' | ',' => (format === '1.234,56' ? ',' : '.')

/** Blanks of every kind and apostrophes, which some countries put between thousands, and signs of currencies. */
const IGNORED = /[\s'’_€$£¥]/g
const PLAIN = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i
const GROUPED = { '.': /^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/, ',': /^[-+]?\d{1,3}(\.\d{3})+(,\d*)?$/ } as const
const MAX_CHARS = 60

/** A number as the column writes it. */
export function readNumber(text: string, format: NumberFormat): number {
  const decimal = decimalOf(format)
  const short = text.length <= MAX_CHARS ? text.replace(IGNORED, '') : ''
  const bare = short.startsWith('(') && short.endsWith(')') ? `-${short.slice(1, -1)}` : short
  const ungrouped = GROUPED[decimal].test(bare) ? bare.replaceAll(decimal === '.' ? ',' : '.', '') : bare
  const plain = decimal === ',' ? ungrouped.replace(',', '.') : ungrouped
  const isMixed = decimal === ',' && ungrouped.includes('.')
  if (isMixed || !PLAIN.test(plain))
    throw new Refusal('"{text}" is not a number like {format}.', { text: headOf(text, 80), format })
  return Number(plain)
}

/**
 * The format that the values of a column have in common. Where a comma could be either, as in 1,234, it separates thousands: so it is
 * written where three digits follow.
 */
export function guessNumberFormat(values: Iterable<string>): NumberFormat {
  let commas = 0
  for (const text of values) {
    if (text.length > MAX_CHARS) continue
    const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')]
    if (comma >= 0 && point >= 0) return comma > point ? '1.234,56' : '1,234.56'
    if (comma >= 0 && !/^\D*\d{1,3}(,\d{3})+\D*$/.test(text)) commas++
    if (point >= 0 && text.indexOf('.') !== point) return '1.234,56'
    if (point >= 0 && !/^\D*\d{1,3}(\.\d{3})+\D*$/.test(text)) return '1,234.56'
  }
  return commas > 0 ? '1.234,56' : '1,234.56'
}
