import type { WireDomain, WireField, WireKanbanColumn } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import { type Group, toGroup } from '../../../store/group.ts'
import type { GroupedRow } from '../../../store/queries.ts'
import type { Values } from '../../../store/records.ts'
import { groupLabel } from '../../group-label.ts'
import type { KanbanArch } from './arch.ts'

/** Statistics in the heading of a column. */
export interface ColumnStats {
  readonly count: number
  /** Null if the board shows no total. */
  readonly sum: number | null
  /** Number of cards per value of the progress field; `''` stands for unset. */
  readonly progress: Readonly<Record<string, number>> | null
}

/** Definition of a column, before it is shown. */
export interface ColumnSpec {
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

export const fromPayload = (columns: readonly WireKanbanColumn[]): readonly ColumnSpec[] =>
  columns.map(({ value, label, domain, fold, count, sum, progress }) => ({
    key: columnKey(value),
    value,
    label: plainLabel(value) ?? label,
    domain,
    isFolded: fold,
    stats: { count, sum, progress },
  }))

function plainLabel(value: unknown): string | null {
  if (value === null || value === undefined) return t('Not set')
  return typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : null
}

/** Columns from the groups of the server. `byProgress` holds the same groups, divided by the progress field. */
export function fromGroups(
  item: string,
  fields: readonly WireField[],
  rows: readonly GroupedRow[],
  { sum, progress }: Pick<KanbanArch, 'sum' | 'progress'>,
  byProgress: readonly GroupedRow[],
): readonly ColumnSpec[] {
  const measures = sum ? [{ name: 'sum', field: sum.name, measure: 'sum' as const }] : []
  const shares = progress && sharesOf(item, progress.field.name, byProgress)
  return rows.map((row) => {
    const group: Group = toGroup(row, item, [], measures)
    const key = columnKey(group.value)
    return {
      key,
      value: group.value ?? null,
      label: groupLabel(group, fields),
      domain: group.domain,
      isFolded: false,
      stats: {
        count: group.count,
        sum: sum ? (group.measures['sum'] ?? 0) : null,
        progress: shares && (shares.get(key) ?? {}),
      },
    }
  })
}

function sharesOf(
  item: string,
  field: string,
  rows: readonly GroupedRow[],
): ReadonlyMap<string, Record<string, number>> {
  const shares = new Map<string, Record<string, number>>()
  for (const row of rows) {
    const key = columnKey(row[item])
    const share = shares.get(key) ?? {}
    share[columnKey(row[field])] = row.__count
    shares.set(key, share)
  }
  return shares
}

/** Adds empty columns for all keys of a selection and both values of a boolean, so that cards can be moved there. */
export function withEmptyColumns(
  specs: readonly ColumnSpec[],
  item: string,
  field: WireField | undefined,
  { sum, progress }: Pick<KanbanArch, 'sum' | 'progress'>,
): readonly ColumnSpec[] {
  const values = field?.type === 'boolean' ? [false, true] : field?.selection?.map(([key]) => key)
  if (!values) return specs
  const known = new Map(specs.map((spec) => [spec.key, spec]))
  const all = values.map((value): ColumnSpec => {
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

export const emptyStats = ({ sum, progress }: Pick<KanbanArch, 'sum' | 'progress'>): ColumnStats => ({
  count: 0,
  sum: sum ? 0 : null,
  progress: progress ? {} : null,
})

/** The existing columns with new statistics; new groups are added after them. */
export function withFigures(
  specs: readonly ColumnSpec[],
  fresh: readonly ColumnSpec[],
  arch: Pick<KanbanArch, 'sum' | 'progress'>,
): readonly ColumnSpec[] {
  const found = new Map(fresh.map((spec) => [spec.key, spec]))
  const known = new Set(specs.map(({ key }) => key))
  return [
    ...specs.map((spec) => ({ ...spec, stats: found.get(spec.key)?.stats ?? emptyStats(arch) })),
    ...fresh.filter(({ key }) => !known.has(key)),
  ]
}

/** The statistics after one card was added, or removed with -1. */
export function countCard(
  stats: ColumnStats,
  values: Values,
  { sum, progress }: Pick<KanbanArch, 'sum' | 'progress'>,
  step: 1 | -1,
): ColumnStats {
  const amount = sum ? values[sum.name] : 0
  const share = progress ? columnKey(values[progress.field.name]) : ''
  return {
    count: Math.max(0, stats.count + step),
    sum: stats.sum === null ? null : stats.sum + step * (typeof amount === 'number' ? amount : 0),
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
export const recordValue = ({ value, label }: Pick<ColumnSpec, 'value' | 'label'>, field: WireField): unknown =>
  field.type === 'many2one' && value !== null ? [value, label] : value
