import type { ArchNode } from '../../../../../kernel/view/arch/arch.ts'
import type { WireField, WireRelated } from '../../../../../kernel/view/wire.ts'
import { holds, type Scope } from '../../core/expression.ts'
import { t } from '../../core/i18n.ts'
import { findField } from '../../core/registries.ts'

/** The parsed list inside the field element of an x2many. */
export interface LinesArch {
  readonly model: string
  readonly fields: readonly WireField[]
  readonly columns: readonly LineColumn[]
  readonly buttons: readonly ArchNode[]
  readonly decorations: readonly (readonly [look: string, condition: string])[]
  /** Where new lines are added; null if lines are edited in their own form. */
  readonly editable: 'top' | 'bottom' | null
  /** The field that stores the manual order. */
  readonly handle: string | null
  /** Selection by which a line is a section or a note across the table; null if all lines are alike. */
  readonly kind: WireField | null
  /** Fields of the parent record that the conditions use. */
  readonly parentNames: readonly string[]
  readonly mayCreate: boolean
  readonly mayWrite: boolean
  readonly mayDelete: boolean
  /** Condition under which a line can be neither changed nor removed. */
  readonly lock: string | undefined
}

export interface LineColumn {
  readonly node: ArchNode
  readonly field: WireField
  readonly label: string
  readonly isNumeric: boolean
  readonly optional: 'show' | 'hide' | null
  /** Label of the column total; null if there is none. */
  readonly sum: string | null
  /** Whether a section shows the sum of the column over its lines. */
  readonly isSectionSum: boolean
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
    kind: byName.get(root?.attrs['display_type'] ?? '') ?? null,
    parentNames: root === undefined ? [] : [...new Set(parentNamesIn(root))],
    mayCreate: access.create && root?.attrs['create'] !== '0',
    mayWrite: access.write && root?.attrs['edit'] !== '0',
    mayDelete: access.unlink && root?.attrs['delete'] !== '0',
    lock: root?.attrs['readonly'],
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
      isSectionSum: attrs['section_sum'] === '1',
    },
  ]
}

const PARENT = /\bparent\.([a-z_]\w*)/g

function parentNamesIn({ attrs, children }: ArchNode): readonly string[] {
  const own = Object.values(attrs).flatMap((text) => [...text.matchAll(PARENT)].flatMap(([, name]) => name ?? []))
  return [...own, ...children.filter(isElement).flatMap(parentNamesIn)]
}

/** The visible columns: those not hidden by a condition, and optional ones if the user or the view shows them. */
export const shownColumns = (
  { columns }: LinesArch,
  choices: Readonly<Record<string, boolean>>,
  scope: Scope,
): readonly LineColumn[] =>
  columns.filter(
    ({ node, field, optional }) =>
      !holds(node.attrs['column_invisible'], scope) &&
      (optional === null || (choices[field.name] ?? optional === 'show')),
  )

/** Position of a cell in the card that a row becomes on a phone. */
export type LineCardPart = 'title' | 'amount' | 'sub' | 'meta' | 'unit' | 'more' | 'named' | 'hide'

const WORDS: ReadonlySet<string> = new Set(['char', 'text', 'many2one'])
const isWords = ({ field }: LineColumn): boolean => WORDS.has(field.type)

/** The column that names the line. */
export const mainColumn = (columns: readonly LineColumn[]): LineColumn | undefined => columns.find(isWords)

export function cardParts(columns: readonly LineColumn[]): ReadonlyMap<LineColumn, LineCardPart> {
  const parts = new Map<LineColumn, LineCardPart>()
  const give = (part: LineCardPart, column: LineColumn | undefined) => column && parts.set(column, part)
  const free = () => columns.filter((column) => !parts.has(column))
  give('title', mainColumn(columns) ?? columns[0])
  give(
    'amount',
    free().findLast(({ field }) => field.type === 'monetary') ?? free().findLast(({ sum }) => sum !== null),
  )
  const number = free().find(({ isNumeric }) => isNumeric)
  // The unit of a number is in the column right after it.
  const unit = number && free().find((column) => isWords(column) && column === columns[columns.indexOf(number) + 1])
  give(
    'sub',
    free().find((column) => isWords(column) && column !== unit),
  )
  // A number without a unit is labelled with its heading.
  give(number && !unit ? 'named' : 'meta', number ?? free()[0])
  give('unit', unit)
  give(
    'more',
    free().find(({ field }) => field.type === 'monetary'),
  )
  // Further numbers that affect the amount, such as a discount.
  for (const column of free()) if (column.isNumeric) give('named', column)
  return parts
}

export const removeLabel = (name: string): string => (name === '' ? t('Remove line') : t('Remove {name}', { name }))
