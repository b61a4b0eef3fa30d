import { type Signal, signal } from '@preact/signals'
import type { WireDomain, WireField } from '../../../../kernel/view/wire.ts'
import type { Rpc } from '../net/rpc.ts'
import { createList, type ListQuery, type ListStore } from './list.ts'
import { type GroupedRow, type Measure, readGroup } from './queries.ts'
import type { RecordStore } from './records.ts'

/** A group of records; its content is loaded when it is opened. */
export interface Group {
  /** Item of the group-by: `stage_id`, `date_order:month`. */
  readonly item: string
  /** Selection key, id, first day of a period, or null for records without a value. */
  readonly value: unknown
  /** Name of a linked record; null for others: text and dates are formatted by their field. */
  readonly name: string | null
  readonly count: number
  /** Measures by name. */
  readonly measures: Readonly<Record<string, number | null>>
  /** The query's domain and the group's own. */
  readonly domain: WireDomain
  readonly range: { readonly from: string; readonly to: string } | null
  readonly isOpen: Signal<boolean>
  /** Its content, once it was opened. */
  readonly inside: Signal<GroupContent | null>
}

export type GroupContent =
  | { readonly kind: 'groups'; readonly groups: readonly Group[] }
  | { readonly kind: 'list'; readonly list: ListStore }

export interface GroupQuery extends ListQuery {
  readonly groupBy: readonly string[]
  readonly measures: readonly Measure[]
  /** Maximum number of groups per level. */
  readonly limit?: number
}

const MAX_GROUPS = 200

/** The groups of the first level. */
export const loadGroups = (rpc: Rpc, query: GroupQuery, signal?: AbortSignal): Promise<readonly Group[]> =>
  loadLevel(rpc, query, query.domain, query.groupBy, signal)

/** Opens a group and loads its content the first time. */
export async function openGroup(rpc: Rpc, records: RecordStore, query: GroupQuery, group: Group): Promise<void> {
  group.isOpen.value = true
  if (group.inside.peek()) return
  const deeper = query.groupBy.slice(query.groupBy.indexOf(group.item) + 1)
  group.inside.value =
    deeper.length > 0
      ? { kind: 'groups', groups: await loadLevel(rpc, query, group.domain, deeper) }
      : { kind: 'list', list: await openList(rpc, records, query, group) }
}

async function openList(rpc: Rpc, records: RecordStore, query: GroupQuery, group: Group): Promise<ListStore> {
  const list = createList(rpc, records, { ...query, domain: group.domain }, { total: group.count })
  await list.ensure(0, 1)
  return list
}

async function loadLevel(
  rpc: Rpc,
  query: GroupQuery,
  domain: WireDomain,
  groupBy: readonly string[],
  abort?: AbortSignal,
): Promise<readonly Group[]> {
  const [item] = groupBy
  if (item === undefined) return []
  const rows = await readGroup(
    rpc,
    query.model,
    { domain, groupby: [item], fields: query.measures },
    {
      limit: query.limit ?? MAX_GROUPS,
      ...(query.archived !== undefined && { archived: query.archived }),
      ...(abort && { signal: abort }),
    },
  )
  return rows.map((row) => toGroup(row, item, domain, query.measures))
}

export function toGroup(row: GroupedRow, item: string, domain: WireDomain, measures: readonly Measure[]): Group {
  const key = row[item] ?? null
  const [value, name] = Array.isArray(key) ? [key[0], String(key[1] ?? '')] : [key, null]
  return {
    item,
    value,
    name,
    count: row.__count,
    measures: Object.fromEntries(measures.map((measure) => [measure.name, toNumber(row[measure.name])])),
    domain: [...domain, ...row.__domain],
    range: row.__range?.[item] ?? null,
    isOpen: signal(false),
    inside: signal(null),
  }
}

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Field and granularity of an item: `date_order:month`. */
export function splitGroupItem(
  item: string,
  fields: readonly WireField[],
): { readonly field: WireField | undefined; readonly granularity: string | null } {
  const [name, granularity = null] = item.split(':')
  return { field: fields.find((field) => field.name === name), granularity }
}
