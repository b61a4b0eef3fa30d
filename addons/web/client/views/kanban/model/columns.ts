import type { WireDomain, WireField, WireKanbanColumn } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import type { CurrencySum } from '../../../fields/value/currency-sums.tsx'
import { type Group, toGroup } from '../../../store/group.ts'
import type { GroupedRow } from '../../../store/queries.ts'
import type { Values } from '../../../store/records.ts'
import { groupLabel } from '../../group-label.ts'
import type { KanbanArch } from './arch.ts'

/** Statistics in the heading of a column. */
export interface ColumnStats {
  readonly count: number
  /** The sum in each currency, by ISO code; that of other numbers under `''`. Null if the board shows no total. */
  readonly sums: Shares | null
  /** Number of cards per value of the progress field; `''` stands for unset. */
  readonly progress: Shares | null
}

type Figured = Pick<KanbanArch, 'sum' | 'progress'>

type Shares = Readonly<Record<string, number>>

/** Definition of a column, before it is shown. */
export interface BoardColumnSpec {
  readonly key: string
  /** Value of the cards in this column: a selection key, an id or a boolean; null for cards without a value. */
  readonly value: unknown
  readonly label: string
  /** Restricts the records of the board to this column. */
  readonly domain: WireDomain
  readonly isFolded: boolean
  readonly stats: ColumnStats
}

/** The key of the column for a value; a link counts as its id. */
export const columnKey = (value: unknown): string => {
  const plain = Array.isArray(value) ? value[0] : value
  return plain === null || plain === undefined ? '' : String(plain)
}

export const fromPayload = (columns: readonly WireKanbanColumn[]): readonly BoardColumnSpec[] =>
  columns.map(({ value, label, domain, fold, count, sum, sums, progress }) => ({
    key: columnKey(value),
    value,
    label: plainLabel(value) ?? label,
    domain,
    isFolded: fold,
    stats: { count, sums: sums ?? (sum === null ? null : { '': sum }), progress },
  }))

function plainLabel(value: unknown): string | null {
  if (value === null || value === undefined) return t('Not set')
  return typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : null
}

/** ISO code of a currency, which is its name; empty without one. */
const codeOf = (currency: unknown): string => columnKey(Array.isArray(currency) ? currency[1] : currency)

/** The fields that divide the columns: that of the progress and the currency of the sum. */
export const partNames = (item: string, { sum, progress }: Figured): readonly string[] =>
  [...new Set([progress?.field.name, sum?.currencyField])].flatMap((name) => (name && name !== item ? [name] : []))

/** Columns from the groups of the server: those of the first set. The further ones are the same, divided by each of `partNames`. */
export function fromGroups(
  item: string,
  fields: readonly WireField[],
  rows: readonly GroupedRow[],
  arch: Figured,
): readonly BoardColumnSpec[] {
  const { sum, progress } = arch
  /** Shares by column and part; without a dividing field, the whole is one part. */
  const divide = (name: string | undefined, measure: string, keyOf: (value: unknown) => string) => {
    const set = partNames(item, arch).indexOf(name ?? '') + 1
    const found = new Map<string, Record<string, number>>()
    for (const row of rows) {
      if (row.__set !== set) continue
      const key = columnKey(row[item])
      found.set(key, { ...found.get(key), [keyOf(row[name ?? ''])]: Number(row[measure]) })
    }
    return found
  }
  const sums = sum && divide(sum.currencyField, 'sum', codeOf)
  const shares = progress && divide(progress.field.name, '__count', columnKey)
  return rows.flatMap((row) => {
    if (row.__set) return []
    const group: Group = toGroup(row, item, [], [])
    const key = columnKey(group.value)
    return {
      key,
      value: group.value ?? null,
      label: groupLabel(group, fields),
      domain: group.domain,
      isFolded: false,
      stats: { count: group.count, sums: sums && (sums.get(key) ?? {}), progress: shares && (shares.get(key) ?? {}) },
    }
  })
}

/** Adds empty columns for all keys of a selection and both values of a boolean, so that cards can be moved there. */
export function withEmptyColumns(
  specs: readonly BoardColumnSpec[],
  item: string,
  field: WireField | undefined,
  { sum, progress }: Figured,
): readonly BoardColumnSpec[] {
  const values = field?.type === 'boolean' ? [false, true] : field?.selection?.map(([key]) => key)
  if (!values) return specs
  const known = new Map(specs.map((spec) => [spec.key, spec]))
  const all = values.map((value): BoardColumnSpec => {
    const label = plainLabel(value) ?? field?.selection?.find(([key]) => key === value)?.[1] ?? String(value)
    return (
      known.get(columnKey(value)) ?? {
        key: columnKey(value),
        value,
        label,
        domain: [[item, '=', value]],
        isFolded: false,
        stats: emptyStats({ sum, progress }),
      }
    )
  })
  return [...all, ...specs.filter(({ key }) => key === '')]
}

export const emptyStats = ({ sum, progress }: Figured): ColumnStats => ({
  count: 0,
  sums: sum ? {} : null,
  progress: progress ? {} : null,
})

/** The existing columns with new statistics; new groups are added after them. */
export function withFigures(
  specs: readonly BoardColumnSpec[],
  fresh: readonly BoardColumnSpec[],
  arch: Figured,
): readonly BoardColumnSpec[] {
  const found = new Map(fresh.map((spec) => [spec.key, spec]))
  const known = new Set(specs.map(({ key }) => key))
  return [
    ...specs.map((spec) => ({ ...spec, stats: found.get(spec.key)?.stats ?? emptyStats(arch) })),
    ...fresh.filter(({ key }) => !known.has(key)),
  ]
}

/** The sums of several columns together, each currency for itself, the largest first; a sum of zero only if it is the only one. */
export function addSums(stats: readonly ColumnStats[]): readonly CurrencySum[] {
  const all: Record<string, number> = {}
  for (const { sums } of stats)
    for (const [code, value] of Object.entries(sums ?? {})) all[code] = (all[code] ?? 0) + value
  return Object.entries(all)
    .filter(([, value], _, { length }) => value !== 0 || length === 1)
    .toSorted(([, a], [, b]) => b - a)
}

/** The statistics after one card was added, or removed with -1. */
export function countCard(stats: ColumnStats, values: Values, { sum, progress }: Figured, step: 1 | -1): ColumnStats {
  const amount = sum ? Number(values[sum.name] ?? 0) : 0
  const code = codeOf(values[sum?.currencyField ?? ''])
  const share = progress ? columnKey(values[progress.field.name]) : ''
  return {
    count: Math.max(0, stats.count + step),
    sums: stats.sums && { ...stats.sums, [code]: (stats.sums[code] ?? 0) + step * amount },
    progress: stats.progress && {
      ...stats.progress,
      [share]: Math.max(0, (stats.progress[share] ?? 0) + step),
    },
  }
}

const MOVABLE = new Set(['selection', 'many2one', 'many2many', 'boolean', 'char', 'integer'])
const TIMES = new Set(['date', 'datetime'])
const STRETCHES = new Set(['day', 'week', 'month', 'quarter', 'year'])

/**
 * Whether a card can be moved between columns: the field must be writable, and dates must be grouped by days or longer
 * periods.
 */
export function isMovable(item: string, field: WireField | undefined): boolean {
  if (!field || field.readonly) return false
  const [name, size = ''] = item.split(':')
  return name === field.name && (TIMES.has(field.type) ? STRETCHES.has(size) : size === '' && MOVABLE.has(field.type))
}

/** Whether the column of a record follows from its value, without asking the server. */
export const determinesColumn = (item: string, field: WireField | undefined): boolean =>
  field !== undefined && field.name === item && field.type !== 'date' && field.type !== 'datetime' && !isMany(field)

const isMany = ({ type }: WireField): boolean => type === 'many2many' || type === 'one2many'

/** The value of the column in the format of a record. */
export const recordValue = ({ value, label }: Pick<BoardColumnSpec, 'value' | 'label'>, field: WireField): unknown =>
  field.type === 'many2one' && value !== null ? [value, label] : value
