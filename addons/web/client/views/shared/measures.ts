import type { WireField } from '../../../../../kernel/view/wire.ts'
import { formatCompact, formatFloat, formatInteger, formatMoney } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { Measure } from '../../store/queries.ts'

/** A figure that a view shows: the number of records, or the sum or average of a field. */
export interface MeasureChoice {
  /** As in addresses: `__count`, `amount_total`, `amount_total:avg`. */
  readonly key: string
  readonly label: string
  /** Null for the number of records. */
  readonly field: WireField | null
  /** Whether the figures of parts may be added up. */
  readonly isSum: boolean
}

export const COUNT = '__count'

const countChoice = (): MeasureChoice => ({ key: COUNT, label: t('Count'), field: null, isSum: true })

const sumChoice = (field: WireField): MeasureChoice => ({ key: field.name, label: field.label, field, isSum: true })

const averageChoice = (field: WireField): MeasureChoice => ({
  key: `${field.name}:avg`,
  label: t('{field} (average)', { field: field.label }),
  field,
  isSum: false,
})

/** Everything that can be measured: the count, sums, and averages last. */
export function measureChoices(fields: readonly WireField[]): readonly MeasureChoice[] {
  const measured = fields.filter(({ aggregatable }) => aggregatable)
  return [countChoice(), ...measured.map(sumChoice), ...measured.map(averageChoice)]
}

/** The choice of a key; null for one that does not exist. */
export const findMeasure = (fields: readonly WireField[], key: string): MeasureChoice | null =>
  measureChoices(fields).find((choice) => choice.key === key) ?? null

/** Name of a measure in the rows of `read_group`. */
export const measureName = ({ key }: MeasureChoice): string => key.replace(':', '__')

/** What `read_group` is asked for; the count is in every row. */
export const measureQuery = (choices: readonly MeasureChoice[]): readonly Measure[] =>
  choices.flatMap((choice) =>
    choice.field === null
      ? []
      : [{ name: measureName(choice), field: choice.field.name, measure: choice.isSum ? 'sum' : 'avg' }],
  )

/** The figure of a row; null if there is none. */
export function measureOf(row: Readonly<Record<string, unknown>>, choice: MeasureChoice): number | null {
  const value = row[measureName(choice)]
  return typeof value === 'number' ? value : null
}

/** In full; amounts and averages with decimals only where they have any. `currency` is null for none or several. */
export function formatMeasure(value: number | null, choice: MeasureChoice, currency: string | null): string {
  if (value === null) return ''
  const { field, isSum } = choice
  if (field === null) return formatInteger(value)
  const rounded = isSum ? value : Math.round(value * 100) / 100
  if (field.type === 'monetary' && currency !== null)
    return Number.isInteger(rounded)
      ? formatMoney(rounded, currency).replace(/[.,]00(?!\d)/, '')
      : formatMoney(rounded, currency)
  return Number.isInteger(rounded) ? formatInteger(rounded) : formatFloat(rounded, 2)
}

/** For axes and legends. */
export const formatShort = (value: number): string =>
  Math.abs(value) < 1_000 && Number.isInteger(value) ? formatInteger(value) : formatCompact(value)
