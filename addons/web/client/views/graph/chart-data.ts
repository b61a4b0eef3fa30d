import type { WireDomain, WireField } from '../../../../../kernel/view/wire.ts'
import type { GroupedRow } from '../../store/queries.ts'
import { intervalOf, itemKey, itemLabel } from '../shared/analysis/group-items.ts'
import { type MeasureChoice, measureOf } from '../shared/analysis/measures.ts'
import { missingPeriods, shortPeriod } from './periods.ts'

/** One figure and the records behind it; null if there are none. */
export interface Figure {
  readonly value: number | null
  readonly domain: WireDomain | null
}

export interface ChartGroup extends Figure {
  readonly key: string
  readonly label: string
  /** For the axis, in lines. */
  readonly short: readonly string[]
}

export interface ChartSeries extends Figure {
  readonly key: string
  readonly label: string
  /** By group, in the order of the groups. */
  readonly figures: readonly Figure[]
}

/** The data of a chart and its table: groups along the axis, one or several series, and their totals. */
export interface ChartData {
  readonly groups: readonly ChartGroup[]
  readonly series: readonly ChartSeries[]
  readonly total: Figure
  /** Whether there is more than one level. */
  readonly hasSeries: boolean
  /** Whether only the largest of the series are here. */
  readonly isCut: boolean
}

/** Figures of all series: more would neither be told apart nor drawn without a stall. */
const MAX_FIGURES = 10_000

export type SortOrder = 'none' | 'asc' | 'desc'

export const levelSets = (items: readonly string[]): readonly (readonly string[])[] => {
  const [axis, ...rest] = items
  if (axis === undefined) return [[]]
  return rest.length === 0 ? [[], [axis]] : [[], [axis], rest, items]
}

/** Rows of the sets of `levelSets` as a chart. */
export function chartData(
  rows: readonly GroupedRow[],
  items: readonly string[],
  measure: MeasureChoice,
  fields: readonly WireField[],
  order: SortOrder,
): ChartData {
  const [axis, ...rest] = items
  const setOf = (index: number) => rows.filter((row) => row.__set === index)
  const figureOf = (row: GroupedRow | undefined): Figure =>
    row ? { value: measureOf(row, measure), domain: row.__domain } : { value: null, domain: null }
  const total = figureOf(setOf(0)[0])
  const { label } = measure
  /** Without levels below it, each group is a figure of the only series. */
  const single = (groups: readonly ChartGroup[]): ChartData => ({
    groups,
    series: [{ ...total, key: '', label, figures: groups }],
    total,
    hasSeries: false,
    isCut: false,
  })
  if (axis === undefined) return single([{ ...total, key: '', label, short: [label] }])
  const found = setOf(1).map((row): ChartGroup => {
    const label = itemLabel(row, axis, fields)
    return { ...figureOf(row), key: itemKey(row, axis), label, short: shortLabel(row, axis, label) }
  })
  const groups = sortGroups(withMissing(found, axis), order)
  if (rest.length === 0) return single(groups)
  const seriesKey = (row: GroupedRow) => rest.map((item) => itemKey(row, item)).join()
  const cells = new Map(setOf(3).map((row) => [`${itemKey(row, axis)} ${seriesKey(row)}`, row]))
  const all = setOf(2).map((row) => ({
    ...figureOf(row),
    key: seriesKey(row),
    label: rest.map((item) => itemLabel(row, item, fields)).join(' · '),
  }))
  const room = Math.ceil(MAX_FIGURES / groups.length)
  const drawn = all.length > room ? sortGroups(all, 'desc').slice(0, room) : all
  const series = drawn.map((each): ChartSeries => {
    const figures = groups.map((group) => figureOf(cells.get(`${group.key} ${each.key}`)))
    return { ...each, figures }
  })
  return { groups, series, total, hasSeries: true, isCut: drawn !== all }
}

function sortGroups<T extends Figure>(groups: readonly T[], order: SortOrder): readonly T[] {
  if (order === 'none') return groups
  const sign = order === 'asc' ? 1 : -1
  return groups.toSorted((a, b) => sign * ((a.value ?? 0) - (b.value ?? 0)))
}

function shortLabel(row: GroupedRow, item: string, label: string): readonly string[] {
  const interval = intervalOf(item)
  const value = row[item]
  return interval === null || typeof value !== 'string' ? [label] : shortPeriod(value, interval)
}

/** Periods without records are part of an axis of time; records without a date come last. */
function withMissing(groups: readonly ChartGroup[], axis: string): readonly ChartGroup[] {
  const interval = intervalOf(axis)
  if (interval === null) return groups
  const days = groups.flatMap(({ key }) => (key === 'null' ? [] : [String(JSON.parse(key))]))
  const known = new Map(groups.map((group) => [group.key, group]))
  const all = missingPeriods(days, interval).map(
    ({ day, label }) =>
      known.get(JSON.stringify(day)) ?? {
        key: JSON.stringify(day),
        label,
        short: shortPeriod(day, interval),
        value: null,
        domain: null,
      },
  )
  const unset = known.get('null')
  return unset ? [...all, unset] : all
}
