import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireArch, WireField } from '../../../../../../kernel/view/wire.ts'

/** A list view, parsed once from its arch. */
export interface ListArch {
  readonly model: string
  /** In the order of the arch. Columns that are always invisible are left out, but their fields are loaded. */
  readonly columns: readonly ListColumn[]
  /** Buttons of the header, which act on the selected rows. */
  readonly actions: readonly ArchNode[]
  /** Fields to load. */
  readonly fields: readonly WireField[]
  readonly decorations: readonly Decoration[]
  /** Where new rows are added; null if rows are edited in the form. */
  readonly editable: 'top' | 'bottom' | null
  readonly multiEdit: boolean
  readonly defaultOrder: string
  readonly defaultGroupBy: string
  /** The field that stores the manual order. */
  readonly handle: string | null
  /** Condition under which a row cannot be changed. */
  readonly lock: string | undefined
}

export interface FieldColumn {
  readonly kind: 'field'
  /** Unique in the view; for a field column, the name of the field. */
  readonly key: string
  readonly node: ArchNode
  readonly field: WireField
  readonly label: string
  readonly widget: string | undefined
  readonly isNumeric: boolean
  /** Whether the column names the row and links to the record. */
  readonly isMain: boolean
  readonly total: Total | null
  readonly decorations: readonly Decoration[]
  /** Null if the column is always shown. */
  readonly optional: 'show' | 'hide' | null
}

export interface ButtonColumn {
  readonly kind: 'buttons'
  readonly key: string
  readonly nodes: readonly ArchNode[]
  readonly label: ''
  readonly optional: null
}

export type ListColumn = FieldColumn | ButtonColumn

export interface Total {
  readonly measure: 'sum' | 'avg' | 'min' | 'max'
  readonly label: string
}

export interface Decoration {
  /** Decoration such as `danger`, `muted` or `bold`. */
  readonly look: string
  readonly condition: string
}

const MEASURES = ['sum', 'avg', 'min', 'max'] as const
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'monetary'])
/** Widgets that render a number graphically, so that it is not aligned as a number. */
const DRAWN_NUMBERS: ReadonlySet<string> = new Set(['progressbar', 'progress', 'priority', 'handle', 'color'])
const NAMES = ['name', 'display_name'] as const
const LINKABLE: ReadonlySet<string> = new Set(['char', 'text', 'many2one', 'selection', 'integer', 'date', 'datetime'])

export function readArch({ model, root, fields, access }: WireArch): ListArch {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const nodes = root.children.filter((child) => typeof child !== 'string')
  const shown = nodes.filter(({ tag, attrs }) => tag === 'field' && !isAlways(attrs['column_invisible']))
  const handle = shown.find(({ attrs }) => attrs['widget'] === 'handle')?.attrs['name'] ?? null
  const main = findMain(
    shown.flatMap(({ attrs }) => (attrs['optional'] === 'hide' ? [] : (byName.get(attrs['name'] ?? '') ?? []))),
    handle,
  )
  const columns: ListColumn[] = []
  for (const node of nodes) {
    const column = node.tag === 'button' ? toButtons(node, columns) : toField(node, byName, main, handle)
    if (column) columns.push(column)
  }
  return {
    model,
    columns,
    actions: nodes.filter(({ tag }) => tag === 'header').flatMap(({ children }) => children.filter(isButton)),
    fields,
    decorations: readDecorations(root),
    editable: access.write && isEdge(root.attrs['editable']) ? root.attrs['editable'] : null,
    multiEdit: access.write && isAlways(root.attrs['multi_edit']),
    defaultOrder: root.attrs['default_order'] ?? '',
    defaultGroupBy: root.attrs['default_group_by'] ?? '',
    // An order is one of all rows.
    handle: access.write && root.attrs['readonly'] === undefined ? handle : null,
    lock: root.attrs['readonly'],
  }
}

function toField(
  node: ArchNode,
  byName: ReadonlyMap<string, WireField>,
  main: string | null,
  handle: string | null,
): FieldColumn | null {
  const { attrs, tag } = node
  const field = byName.get(attrs['name'] ?? '')
  if (tag !== 'field' || !field || isAlways(attrs['column_invisible']) || field.name === handle) return null
  const widget = attrs['widget']
  const measure = MEASURES.find((name) => attrs[name] !== undefined)
  return {
    kind: 'field',
    key: field.name,
    node,
    field,
    label: attrs['string'] ?? field.label,
    widget,
    isNumeric: NUMBERS.has(field.type) && !DRAWN_NUMBERS.has(widget ?? ''),
    isMain: field.name === main,
    total: measure === undefined ? null : { measure, label: attrs[measure] ?? field.label },
    decorations: readDecorations(node),
    optional: attrs['optional'] === 'show' || attrs['optional'] === 'hide' ? attrs['optional'] : null,
  }
}

/** Adjacent buttons share one column. */
function toButtons(node: ArchNode, columns: ListColumn[]): ButtonColumn | null {
  const before = columns.at(-1)
  const isJoined = before?.kind === 'buttons'
  if (isJoined) columns.pop()
  const nodes = isJoined ? [...before.nodes, node] : [node]
  return { kind: 'buttons', key: `#${nodes[0]?.attrs['name'] ?? ''}`, nodes, label: '', optional: null }
}

function findMain(shown: readonly WireField[], handle: string | null): string | null {
  const candidates = shown.filter(({ name, type }) => name !== handle && LINKABLE.has(type))
  return (
    NAMES.find((name) => candidates.some((field) => field.name === name)) ??
    candidates.find(({ type }) => type === 'char')?.name ??
    candidates[0]?.name ??
    null
  )
}

const isButton = (node: ArchNode | string): node is ArchNode => typeof node !== 'string' && node.tag === 'button'
const isEdge = (value: string | undefined): value is 'top' | 'bottom' => value === 'top' || value === 'bottom'
/** Whether an attribute is true for every record. */
const isAlways = (value: string | undefined): boolean => value === '1' || value === 'true' || value === 'True'

const PREFIX = 'decoration-'

const readDecorations = ({ attrs }: ArchNode): readonly Decoration[] =>
  Object.entries(attrs).flatMap(([name, condition]) =>
    name.startsWith(PREFIX) ? [{ look: name.slice(PREFIX.length), condition }] : [],
  )
