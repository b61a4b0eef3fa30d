import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireArch, WireField, WireRelated } from '../../../../../../kernel/view/wire.ts'
import { elementsOf } from '../../../core/arch.ts'

/** A kanban view, parsed once from its arch. */
export interface KanbanArch {
  readonly model: string
  readonly fields: readonly WireField[]
  readonly related: Readonly<Record<string, WireRelated>>
  /** The element that names a card: a heading, otherwise its first field. */
  readonly title: ArchNode | null
  /** The other lines of a card, in display order. */
  readonly lines: readonly ArchNode[]
  readonly progress: ProgressBar | null
  /** The field that is totalled in the heading of each column. */
  readonly sum: WireField | null
  /** The field that stores the manual order of cards, used if the board shows the default order of the model. */
  readonly sequence: WireField | null
  /** Condition under which a card can be neither moved nor removed. */
  readonly lock: string | undefined
  readonly mayWrite: boolean
  readonly mayCreate: boolean
  readonly mayDelete: boolean
  readonly mayArchive: boolean
  readonly isDraggable: boolean
  readonly hasQuickCreate: boolean
  readonly hasGroupCreate: boolean
}

export interface ProgressBar {
  readonly field: WireField
  /** Class of a segment, by value. */
  readonly colors: Readonly<Record<string, string>>
}

const HEADING = /^(strong|b|h[1-6])$/
const HUES = new Set(['success', 'warning', 'danger', 'info', 'muted'])

const isOff = (flag: string | undefined): boolean => flag === '0' || flag === 'false'

export function parseKanbanArch({ model, fields, related, root, access, archivable, kanban }: WireArch): KanbanArch {
  const { attrs } = root
  const lock = attrs['readonly']
  const fieldOf = (name: string | undefined) => fields.find((field) => field.name === name) ?? null
  const bar = elementsOf(root).find(({ tag }) => tag === 'progressbar')?.attrs ?? {}
  const measured = fieldOf(bar['field'])
  const sequence = fieldOf('sequence')
  const blocks = elementsOf(findBelow(root, 'card') ?? root)
  const title =
    blocks.find(({ tag }) => HEADING.test(tag)) ??
    blocks.find(
      (node) => node.tag === 'field' && node.attrs['invisible'] === undefined && node.attrs['widget'] !== 'image',
    ) ??
    null
  return {
    model,
    fields,
    related,
    title,
    lines: blocks.filter((node) => node !== title && node.tag !== 'progressbar'),
    progress: measured && { field: measured, colors: colorsOf(bar['colors']) },
    sum: fieldOf(bar['sum_field']),
    // A manual order includes all cards, so there is none where some of them may be locked.
    sequence: sequence?.type === 'integer' && !sequence.readonly && !lock ? sequence : null,
    lock,
    mayWrite: access.write,
    mayCreate: access.create,
    mayDelete: access.unlink,
    mayArchive: archivable === true && access.write && !isOff(attrs['archivable']),
    isDraggable: access.write && !isOff(attrs['records_draggable']),
    hasQuickCreate: kanban?.quickCreate === true,
    hasGroupCreate: attrs['group_create'] !== undefined && !isOff(attrs['group_create']),
  }
}

function findBelow(node: ArchNode, tag: string): ArchNode | null {
  if (node.tag === tag) return node
  for (const child of elementsOf(node)) {
    const found = findBelow(child, tag)
    if (found) return found
  }
  return null
}

/** Parses the colours of the progress bar; only known hue names are accepted as classes. */
function colorsOf(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {}
  try {
    const colors: unknown = JSON.parse(text)
    if (typeof colors !== 'object' || colors === null) return {}
    return Object.fromEntries(
      Object.entries(colors).filter((entry): entry is [string, string] => HUES.has(String(entry[1]))),
    )
  } catch {
    return {}
  }
}

/** All fields a card shows, in display order. */
export function shownFields(arch: KanbanArch): readonly { readonly node: ArchNode; readonly field: WireField }[] {
  const found: { node: ArchNode; field: WireField }[] = []
  const visit = (node: ArchNode) => {
    const field = node.tag === 'field' && arch.fields.find(({ name }) => name === node.attrs['name'])
    if (field && node.attrs['invisible'] === undefined) found.push({ node, field })
    for (const child of elementsOf(node)) visit(child)
  }
  for (const node of [arch.title, ...arch.lines]) if (node) visit(node)
  return found
}

const QUICK_TYPES = new Set(['many2one', 'monetary', 'selection'])
const MAX_QUICK = 4

/**
 * Fields of the form for a new card: the field that names it, and a few editable fields of the card. Null if the name
 * cannot be typed; a new card then opens the full form.
 */
export function quickFields(
  arch: KanbanArch,
  groupField: string,
): readonly { node: ArchNode; field: WireField }[] | null {
  const free = shownFields(arch).filter(({ field }) => !field.readonly && field.name !== groupField)
  const title = free.find(({ node }) => arch.title !== null && (arch.title === node || contains(arch.title, node)))
  if (!title || (title.field.type !== 'char' && title.field.type !== 'many2one')) return null
  const others = free.filter(
    ({ node, field }) =>
      node !== title.node &&
      QUICK_TYPES.has(field.type) &&
      field.relation !== 'core.user' &&
      node.attrs['widget'] !== 'badge' &&
      node.attrs['readonly'] === undefined,
  )
  return [title, ...others].slice(0, MAX_QUICK)
}

const contains = (node: ArchNode, wanted: ArchNode): boolean =>
  elementsOf(node).some((child) => child === wanted || contains(child, wanted))
