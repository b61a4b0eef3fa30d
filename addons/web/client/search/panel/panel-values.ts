import type { WireDomain, WireField, WireSearchPanelSection } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { Row, Rpc } from '../../net/rpc.ts'
import { type GroupedRow, readGroup, searchRead } from '../../store/queries.ts'
import { groupByKey } from '../query/group-by-key.ts'
import type { Wanted } from '../query/search-state.ts'

/** One entry of a section of the search panel. */
export interface PanelValue {
  readonly value: Wanted['value']
  readonly label: string
  readonly count: number
  /** Level in the hierarchy, starting at 0. */
  readonly depth: number
}

const MAX_VALUES = 80

/** Loads the values of a field with their record counts. In a hierarchy the ancestors of these values are included. */
export async function loadPanelValues(
  rpc: Rpc,
  model: string,
  section: WireSearchPanelSection,
  field: WireField | undefined,
  domain: WireDomain,
  signal: AbortSignal,
): Promise<readonly PanelValue[]> {
  const groups = await readGroup(rpc, model, { domain, groupby: [section.field] }, { limit: MAX_VALUES, signal })
  const flat = groups.map((group) => toValue(group, section.field, field))
  if (!section.hierarchical || field?.relation === undefined) return flat
  const ids = flat.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  if (ids.length === 0) return flat
  const rows = await searchRead(rpc, field.relation, [['id', 'parent_of', ids]], ['display_name', 'parent_id'], {
    signal,
  })
  return [...flat.filter(({ value }) => value === null), ...toTree(rows, flat)]
}

function toValue(group: GroupedRow, name: string, field: WireField | undefined): PanelValue {
  const key = group[name]
  const [value, label] = Array.isArray(key) ? [key[0], key[1]] : [key, labelOf(key, field)]
  // The keys of groups are scalar values, which the wire types do not express.
  return { value: (value ?? null) as Wanted['value'], label: String(label ?? ''), count: group.__count, depth: 0 }
}

function labelOf(key: unknown, field: WireField | undefined): string {
  if (key === null || key === undefined) return t('Not set')
  if (typeof key === 'boolean') return key ? t('Yes') : t('No')
  return field?.selection?.find(([each]) => each === key)?.[1] ?? String(key)
}

/** Flattens the hierarchy, parents before their children. The count of a node includes its descendants. */
export function toTree(rows: readonly Row[], counted: readonly PanelValue[]): readonly PanelValue[] {
  const counts = new Map(counted.map(({ value, count }) => [value, count]))
  const children = groupByKey(rows, (row) => parentOf(row, rows))
  const walk = (row: Row, depth: number): readonly PanelValue[] => {
    const below = (children.get(row.id) ?? []).flatMap((child) => walk(child, depth + 1))
    const direct = below.filter((each) => each.depth === depth + 1)
    const count = (counts.get(row.id) ?? 0) + direct.reduce((sum, each) => sum + each.count, 0)
    return [{ value: row.id, label: String(row['display_name']), count, depth }, ...below]
  }
  return (children.get(null) ?? []).flatMap((row) => walk(row, 0))
}

function parentOf(row: Row, rows: readonly Row[]): number | null {
  const parent: unknown = Array.isArray(row['parent_id']) ? row['parent_id'][0] : row['parent_id']
  return typeof parent === 'number' && rows.some(({ id }) => id === parent) ? parent : null
}
