import { type ArchNode, findField, holds, type Scope, t, type WireField, type WireRelated } from '../../sdk.ts'

/** The list inside the element of a relation, read once. */
export interface LinesArch {
  readonly model: string
  readonly fields: readonly WireField[]
  readonly columns: readonly LineColumn[]
  readonly buttons: readonly ArchNode[]
  readonly decorations: readonly (readonly [look: string, condition: string])[]
  /** Where new lines appear; null: lines are edited in their own form. */
  readonly editable: 'top' | 'bottom' | null
  /** The field that keeps the order made by hand. */
  readonly handle: string | null
  /** Fields of the record around that the conditions look at. */
  readonly parentNames: readonly string[]
  readonly mayCreate: boolean
  readonly mayWrite: boolean
  readonly mayDelete: boolean
}

export interface LineColumn {
  readonly node: ArchNode
  readonly field: WireField
  readonly label: string
  readonly isNumeric: boolean
  readonly optional: 'show' | 'hide' | null
  /** Label of its sum. */
  readonly sum: string | null
}

const isElement = (node: ArchNode | string): node is ArchNode => typeof node !== 'string'

export function readLines(node: ArchNode, related: WireRelated): LinesArch {
  const root = node.children.filter(isElement).find(({ tag }) => tag === 'list')
  const nodes = root?.children.filter(isElement) ?? []
  const byName = new Map(related.fields.map((field) => [field.name, field]))
  const handle = nodes.find(({ attrs }) => attrs['widget'] === 'handle')?.attrs['name'] ?? null
  const { access } = related
  return {
    model: related.model,
    fields: related.fields,
    columns: nodes.flatMap((each) => toColumn(each, byName.get(each.attrs['name'] ?? ''), handle)),
    buttons: nodes.filter(({ tag }) => tag === 'button'),
    decorations: Object.entries(root?.attrs ?? {}).flatMap(([name, condition]) =>
      name.startsWith('decoration-') ? [[name.slice('decoration-'.length), condition] as const] : [],
    ),
    editable: root?.attrs['editable'] === 'top' || root?.attrs['editable'] === 'bottom' ? root.attrs['editable'] : null,
    handle: handle !== null && byName.has(handle) ? handle : null,
    parentNames: root === undefined ? [] : [...new Set(parentNamesIn(root))],
    mayCreate: access.create && root?.attrs['create'] !== '0',
    mayWrite: access.write && root?.attrs['edit'] !== '0',
    mayDelete: access.unlink && root?.attrs['delete'] !== '0',
  }
}

function toColumn(node: ArchNode, field: WireField | undefined, handle: string | null): readonly LineColumn[] {
  const { attrs, tag } = node
  if (tag !== 'field' || !field || field.name === handle) return []
  const { optional, widget } = attrs
  return [
    {
      node,
      field,
      label: attrs['string'] ?? field.label,
      isNumeric: findField('list', field.type, widget).numeric === true,
      optional: optional === 'show' || optional === 'hide' ? optional : null,
      sum: attrs['sum'] ?? null,
    },
  ]
}

const PARENT = /\bparent\.([a-z_]\w*)/g

function parentNamesIn({ attrs, children }: ArchNode): readonly string[] {
  const own = Object.values(attrs).flatMap((text) => [...text.matchAll(PARENT)].flatMap(([, name]) => name ?? []))
  return [...own, ...children.filter(isElement).flatMap(parentNamesIn)]
}

/** Columns that are there for this record, with the optional ones the user switched. */
export const shownColumns = (
  { columns }: LinesArch,
  wishes: Readonly<Record<string, boolean>>,
  scope: Scope,
): readonly LineColumn[] =>
  columns.filter(
    ({ node, field, optional }) =>
      !holds(node.attrs['column_invisible'], scope) &&
      (optional === null || (wishes[field.name] ?? optional === 'show')),
  )

/** Room a column takes: least pixels, and its share of the rest. By widget, then type. */
const ROOM: Readonly<Record<string, readonly [least: number, grow: number]>> = {
  boolean: [64, 0],
  color: [200, 0],
  date: [116, 0],
  datetime: [156, 0],
  float: [72, 0],
  hours: [76, 0],
  integer: [76, 0],
  many2one: [96, 1.4],
  monetary: [92, 0],
  percent: [76, 0],
  priority: [84, 0],
  progressbar: [112, 0],
  selection: [104, 0.4],
  tags: [88, 0.8],
  toggle: [64, 0],
}
const FLEXIBLE = [96, 1.2] as const
const CHAR = 6.6
const MARGIN = 18

export interface Tracks {
  readonly template: string
  readonly least: number
}

/** `edges`: pixels of the columns for the handle and the buttons; null where there is none. */
export function tracksOf(columns: readonly LineColumn[], before: number | null, after: number): Tracks {
  const rooms = columns.map(({ field, node, label }): readonly [number, number] => {
    const [least, grow] = ROOM[node.attrs['widget'] ?? ''] ?? ROOM[field.type] ?? FLEXIBLE
    return [Math.max(least, Math.min(140, Math.round(label.length * CHAR + MARGIN))), grow]
  })
  const isRigid = rooms.every(([, grow]) => grow === 0)
  const edges = (before ?? 0) + after
  return {
    template: [
      ...(before === null ? [] : [`${before}px`]),
      ...rooms.map(([least, grow]) => (grow === 0 ? `${least}px` : `minmax(${least}px,${grow}fr)`)),
      isRigid ? `minmax(${after}px,1fr)` : `${after}px`,
    ].join(' '),
    least: edges + rooms.reduce((sum, [least]) => sum + least, 0),
  }
}

/** What part of a card a cell is on a phone. */
export type CardPart = 'title' | 'amount' | 'sub' | 'meta' | 'hide'

const WORDS: ReadonlySet<string> = new Set(['char', 'text', 'many2one', 'selection'])

export function cardParts(columns: readonly LineColumn[]): ReadonlyMap<LineColumn, CardPart> {
  const parts = new Map<LineColumn, CardPart>()
  const give = (part: CardPart, column: LineColumn | undefined) => column && parts.set(column, part)
  const free = () => columns.filter((column) => !parts.has(column))
  give('title', free().find(({ field }) => WORDS.has(field.type)) ?? columns[0])
  give(
    'amount',
    free().findLast(({ field }) => field.type === 'monetary') ?? free().findLast(({ sum }) => sum !== null),
  )
  give(
    'sub',
    free().find(({ field }) => WORDS.has(field.type)),
  )
  give('meta', free().find(({ isNumeric }) => isNumeric) ?? free()[0])
  return parts
}

export const removeLabel = (name: string): string => (name === '' ? t('Remove line') : t('Remove {name}', { name }))
