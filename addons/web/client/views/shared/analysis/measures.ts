import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { formatCompact, formatFloat, formatInteger, formatMoney } from '../../../core/format.ts'
import { msg, t } from '../../../core/i18n.ts'
import { formatDecimal } from '../../../fields/value/number-text.ts'
import type { Measure } from '../../../store/queries.ts'

/** A figure that a view shows: the number of records, the sum or average of a field, or how many values of it there are. */
export interface MeasureChoice {
  /** As in addresses: `__count`, `amount_total`, `amount_total:avg`, `partner_id:count_distinct`. */
  readonly key: string
  readonly label: string
  /** Null for the number of records. */
  readonly field: WireField | null
  readonly aggregate: 'sum' | 'avg' | 'count_distinct'
  /** Whether the figures of parts may be added up. */
  readonly isSum: boolean
}

export const COUNT = '__count'

const LABELS = {
  sum: '{field}',
  avg: msg('{field} (average)'),
  count_distinct: msg('{field} (distinct)'),
} as const

const choose =
  (aggregate: MeasureChoice['aggregate']) =>
  (field: WireField): MeasureChoice => ({
    key: aggregate === 'sum' ? field.name : `${field.name}:${aggregate}`,
    label: t(LABELS[aggregate], { field: field.label }),
    field,
    aggregate,
    isSum: aggregate === 'sum',
  })

/** Everything that can be measured: the count, sums, averages, and how many customers or references there are. */
export function measureChoices(fields: readonly WireField[]): readonly MeasureChoice[] {
  const measured = fields.filter(({ aggregatable }) => aggregatable)
  const distinct = fields.filter(({ groupable, type }) => groupable && (type === 'many2one' || type === 'char'))
  return [
    { key: COUNT, label: t('Count'), field: null, aggregate: 'sum', isSum: true },
    ...measured.map(choose('sum')),
    ...measured.map(choose('avg')),
    ...distinct.map(choose('count_distinct')),
  ]
}

/** The choice of a key; null for one that does not exist. */
export const findMeasure = (fields: readonly WireField[], key: string): MeasureChoice | null =>
  measureChoices(fields).find((choice) => choice.key === key) ?? null

/** What the address asks for, otherwise what the view does, otherwise the count. */
export const chosenMeasure = (fields: readonly WireField[], asked: string | undefined, own: string): MeasureChoice =>
  findMeasure(fields, asked ?? own) ?? findMeasure(fields, own) ?? measureChoices([])[0]!

/** Name of a measure in the rows of `read_group`. */
export const measureName = ({ key }: MeasureChoice): string => key.replace(':', '__')

/** What `read_group` is asked for; the count is in every row. */
export const measureQuery = (choices: readonly MeasureChoice[]): readonly Measure[] =>
  choices.flatMap((choice) =>
    choice.field === null ? [] : [{ name: measureName(choice), field: choice.field.name, measure: choice.aggregate }],
  )

/** The figure of a row; null if there is none. */
export function measureOf(row: Readonly<Record<string, unknown>>, choice: MeasureChoice): number | null {
  const value = row[measureName(choice)]
  return typeof value === 'number' ? value : null
}

/** In full; amounts and averages with decimals only where they have any. `currency` is null for none or several. */
export function formatMeasure(value: number | null, choice: MeasureChoice, currency: string | null): string {
  if (value === null) return ''
  const { field } = choice
  if (field === null) return formatInteger(value)
  const text =
    field.type === 'monetary' && currency !== null ? formatMoney(value, currency) : formatDecimal(value, field)
  return text.replace(/[.,]00?(?![\d.,])/, '')
}

/** For axes and legends. `Intl` has no short thousands in some languages, German among them. */
export function formatShort(value: number): string {
  if (Math.abs(value) < 1_000 && Number.isInteger(value)) return formatInteger(value)
  const text = formatCompact(value)
  const isLong = Math.abs(value) < 1_000_000 && /\d\D?\d{3}/.test(text)
  return isLong ? t('{n}k', { n: formatFloat(Math.round(value / 100) / 10) }) : text
}
