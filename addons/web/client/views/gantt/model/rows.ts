import { dayToWall, wallToDay } from '../../../../../../kernel/domain/zone.ts'
import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { dayOf } from '../../../core/format.ts'
import { namesOf } from '../../../fields/value/names.ts'
import { linkOf } from '../../../fields/value/values.ts'
import type { Values } from '../../../store/records.ts'
import { groupLabel } from '../../group-label.ts'
import { valueKeys } from '../../plan/hues.ts'
import { startOf, type Unit } from '../../plan/periods.ts'
import type { Placed } from '../../plan/placed.ts'

/** A level by which the rows are grouped. */
export interface GroupLevel {
  /** `field` or `field:granularity`. */
  readonly item: string
  readonly field: WireField
}

export interface GanttRecord extends Placed {
  readonly values: Values
}

export interface BarGroup {
  readonly kind: 'group'
  /** Values of its levels, joined: its identity. */
  readonly key: string
  readonly depth: number
  readonly label: string
  readonly isOpen: boolean
  readonly count: number
  readonly from: number
  readonly to: number
  /** Percent, weighted by duration; null without a field for it. */
  readonly progress: number | null
  /** Initial values of a record created in this group. */
  readonly values: Values
}

export interface RecordRow extends GanttRecord {
  readonly kind: 'record'
  readonly key: string
  readonly depth: number
  readonly group: BarGroup | null
}

export type GanttRow = BarGroup | RecordRow

export interface RowOptions {
  readonly levels: readonly GroupLevel[]
  readonly progress: WireField | null
  isOpen(key: string): boolean
}

/** Records in groups, by their start; a record with several values of a group is in each of them. */
export function buildRows(records: readonly GanttRecord[], options: RowOptions): readonly GanttRow[] {
  const ordered = records.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end || a.id - b.id)
  return level(ordered, options, 0, null)
}

function level(
  records: readonly GanttRecord[],
  options: RowOptions,
  depth: number,
  parent: BarGroup | null,
): readonly GanttRow[] {
  const grouping = options.levels[depth]
  const path = parent?.key ?? ''
  if (!grouping)
    return records.map((record) => ({ ...record, kind: 'record', key: `${path}|${record.id}`, depth, group: parent }))
  const parts = new Map<string, GanttRecord[]>()
  for (const record of records) {
    for (const key of groupKeys(grouping, record.values[grouping.field.name])) {
      const part = parts.get(key)
      if (part) part.push(record)
      else parts.set(key, [record])
    }
  }
  const groups = [...parts].map(([key, inside]) => {
    const shown = inside[0]!.values[grouping.field.name]
    const row: BarGroup = {
      kind: 'group',
      key: `${path}/${key}`,
      depth,
      label: labelOf(grouping, key, shown),
      isOpen: options.isOpen(`${path}/${key}`),
      count: inside.length,
      from: Math.min(...inside.map(({ span }) => span.start)),
      to: Math.max(...inside.map(({ span }) => span.end)),
      progress: options.progress && meanProgress(inside, options.progress.name),
      values: { ...parent?.values, ...valueOfGroup(grouping, key, shown) },
    }
    return { key, row, inside }
  })
  return groups
    .toSorted((a, b) => rank(grouping, a.key) - rank(grouping, b.key) || a.row.label.localeCompare(b.row.label))
    .flatMap(({ row, inside }) => [row, ...(row.isOpen ? level(inside, options, depth + 1, row) : [])])
}

const isDate = ({ type }: WireField): boolean => type === 'date' || type === 'datetime'

function groupKeys({ item, field }: GroupLevel, value: unknown): readonly string[] {
  if (!isDate(field)) return valueKeys(field, value)
  if (typeof value !== 'string') return ['']
  const [, unit = 'month'] = item.split(':')
  const day = field.type === 'date' ? value : dayOf(value)
  // The granularities of groups are units of calendars, and hours, which no row of a plan is divided by.
  return [wallToDay(startOf(unit === 'hour' ? 'day' : (unit as Unit), dayToWall(day)))]
}

function labelOf({ item, field }: GroupLevel, key: string, value: unknown): string {
  const name =
    field.type === 'many2one'
      ? (linkOf(value)?.name ?? null)
      : field.type === 'many2many'
        ? (namesOf(field.relation ?? '', [Number(key)])[0] ?? '…')
        : null
  const range = isDate(field) ? { from: key, to: key } : null
  return groupLabel({ item, value: key === '' ? null : isDate(field) ? key : value, name, range }, [field])
}

/** Unset last; choices in their own order, days by date, others by name. */
function rank({ field }: GroupLevel, key: string): number {
  if (key === '') return Number.POSITIVE_INFINITY
  if (isDate(field)) return dayToWall(key)
  return field.selection?.findIndex(([choice]) => choice === key) ?? 0
}

/** The value of a group for a new record: links and selections have one; a period or a list of links has no clear one. */
const valueOfGroup = ({ field }: GroupLevel, key: string, value: unknown): Values =>
  field.readonly || (field.type !== 'many2one' && field.type !== 'selection')
    ? field.type === 'many2many' && key !== '' && !field.readonly
      ? { [field.name]: [Number(key)] }
      : {}
    : { [field.name]: key === '' ? null : value }

function meanProgress(records: readonly GanttRecord[], name: string): number {
  let sum = 0
  let weight = 0
  for (const { span, values } of records) {
    const length = span.end - span.start
    sum += length * (typeof values[name] === 'number' ? values[name] : 0)
    weight += length
  }
  return sum / weight
}
