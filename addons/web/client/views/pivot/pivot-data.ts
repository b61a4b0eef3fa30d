import type { WireField } from '../../../../../kernel/view/wire.ts'
import type { GroupedRow } from '../../store/queries.ts'
import { itemKey, itemLabel } from '../shared/analysis/group-items.ts'
import { type MeasureChoice, measureOf } from '../shared/analysis/measures.ts'

/** A group on one of the axes; the root is the total. */
export interface PivotNode {
  /** Keys of all levels down to this one; empty for the root. */
  readonly path: string
  readonly label: string
  /** Labels of all levels, for the filter that shows its records. */
  readonly labels: readonly string[]
  readonly depth: number
  readonly children: readonly PivotNode[]
}

export interface PivotData {
  readonly rows: PivotNode
  readonly cols: PivotNode
  /** The group where both cross; undefined if it has no records. */
  cell(row: PivotNode, col: PivotNode): GroupedRow | undefined
}

/** Each combination of a level of the rows and one of the columns, from the total to the finest: a cut takes only details. */
export function pivotSets(rows: readonly string[], cols: readonly string[]): readonly (readonly string[])[] {
  const pairs = [...rows.keys(), rows.length].flatMap((r) => [...cols.keys(), cols.length].map((c) => [r, c] as const))
  return pairs.toSorted(([a, b], [c, d]) => a + b - c - d).map(([r, c]) => [...rows.slice(0, r), ...cols.slice(0, c)])
}

const pathOf = (row: GroupedRow, items: readonly string[]): string => items.map((item) => itemKey(row, item)).join(' ')

export function pivotData(
  groups: readonly GroupedRow[],
  rows: readonly string[],
  cols: readonly string[],
  fields: readonly WireField[],
  total: string,
): PivotData {
  const sets = pivotSets(rows, cols)
  const cells = new Map<string, GroupedRow>()
  for (const group of groups) {
    const set = new Set(sets[group.__set ?? 0])
    const key = (items: readonly string[]) =>
      pathOf(
        group,
        items.filter((item) => set.has(item)),
      )
    cells.set(`${key(rows)}|${key(cols)}`, group)
  }
  const of = (items: readonly string[]) => groups.filter((group) => isSame(sets[group.__set ?? 0] ?? [], items))
  return {
    rows: treeOf(rows, of, fields, total),
    cols: treeOf(cols, of, fields, total),
    cell: (row, col) => cells.get(`${row.path}|${col.path}`),
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item) => b.includes(item))

interface Growing extends PivotNode {
  readonly children: Growing[]
}

/** The groups of an axis as a tree, in the order of the answer. */
function treeOf(
  items: readonly string[],
  of: (items: readonly string[]) => readonly GroupedRow[],
  fields: readonly WireField[],
  total: string,
): PivotNode {
  const root: Growing = { path: '', label: total, labels: [], depth: 0, children: [] }
  const known = new Map<string, Growing>([['', root]])
  for (const [index, item] of items.entries()) {
    for (const group of of(items.slice(0, index + 1))) {
      const parent = known.get(pathOf(group, items.slice(0, index)))
      if (!parent) continue
      const label = itemLabel(group, item, fields)
      const path = pathOf(group, items.slice(0, index + 1))
      const node: Growing = { path, label, labels: [...parent.labels, label], depth: index + 1, children: [] }
      parent.children.push(node)
      known.set(path, node)
    }
  }
  return root
}

/** Which column the rows are sorted by. */
export interface PivotOrder {
  readonly col: string
  readonly measure: string
  readonly isDescending: boolean
}

/** The nodes that are shown, from top to bottom, each below its parent. `open` has the paths of those whose children are shown. */
export function shownRows(
  { rows, cols, cell }: PivotData,
  open: ReadonlySet<string>,
  order: PivotOrder | null,
  measures: readonly MeasureChoice[],
): readonly PivotNode[] {
  const measure = measures.find(({ key }) => key === order?.measure)
  const col = order && findNode(cols, order.col)
  const value = (node: PivotNode): number => {
    const group = col && measure ? cell(node, col) : undefined
    return (group && measure ? measureOf(group, measure) : null) ?? Number.NEGATIVE_INFINITY
  }
  const sorted = (nodes: readonly PivotNode[]) =>
    order && col && measure
      ? nodes.toSorted((a, b) => (order.isDescending ? value(b) - value(a) : value(a) - value(b)) || 0)
      : nodes
  const walk = (nodes: readonly PivotNode[]): readonly PivotNode[] =>
    sorted(nodes).flatMap((node) => (open.has(node.path) ? [node, ...walk(node.children)] : [node]))
  return walk(rows.children)
}

function findNode(root: PivotNode, path: string): PivotNode | null {
  if (root.path === path) return root
  for (const child of root.children) {
    const found = findNode(child, path)
    if (found) return found
  }
  return null
}

/** A cell of the heading: a column, or a column with the columns of its children below. */
export interface HeadCell {
  readonly node: PivotNode
  /** Columns it spans, and rows of the heading. */
  readonly width: number
  readonly height: number
  readonly isOpen: boolean
}

export interface PivotHead {
  /** Level by level. */
  readonly levels: readonly (readonly HeadCell[])[]
  /** The columns themselves; the total is last. */
  readonly columns: readonly PivotNode[]
}

/** An open column is replaced by those of its children. */
export function pivotHead({ cols }: PivotData, open: ReadonlySet<string>): PivotHead {
  const isOpen = (node: PivotNode) => node.children.length > 0 && open.has(node.path)
  const depthOf = (node: PivotNode): number => (isOpen(node) ? 1 + Math.max(...node.children.map(depthOf)) : 1)
  const depth = cols.children.length === 0 ? 1 : Math.max(...cols.children.map(depthOf))
  const levels: HeadCell[][] = Array.from({ length: depth }, () => [])
  const columns: PivotNode[] = []
  const place = (node: PivotNode, level: number): number => {
    const width = isOpen(node) ? node.children.reduce((sum, child) => sum + place(child, level + 1), 0) : 1
    if (!isOpen(node)) columns.push(node)
    levels[level]!.push({ node, width, height: isOpen(node) ? 1 : depth - level, isOpen: isOpen(node) })
    return width
  }
  for (const node of cols.children) place(node, 0)
  levels[0]!.push({ node: cols, width: 1, height: depth, isOpen: false })
  return { levels, columns: [...columns, cols] }
}
