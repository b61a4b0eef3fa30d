import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireArch, WireField } from '../../../../../../kernel/view/wire.ts'
import { elementsOf, isElement } from '../../../core/arch.ts'

/** The arch of a form, split into the parts that are rendered separately. */
export interface FormArch {
  readonly buttons: readonly ArchNode[]
  /** Fields of the header, such as the status bar. */
  readonly steps: readonly ArchNode[]
  readonly smart: readonly ArchNode[]
  readonly avatar: ArchNode | null
  /** The title and the elements around it. */
  readonly headline: readonly ArchNode[]
  readonly body: readonly (ArchNode | string)[]
  readonly hasChatter: boolean
  readonly fields: ReadonlyMap<string, WireField>
  /** Field elements in document order, without those of inline views. */
  readonly fieldNodes: readonly ArchNode[]
  /** Id of the control of each field element; it stays the same across renders. */
  readonly ids: ReadonlyMap<ArchNode, string>
  /** Ancestors of each field element, outermost first. */
  readonly around: ReadonlyMap<ArchNode, readonly ArchNode[]>
}

const BLOCKS = new Set(['group', 'notebook', 'separator'])
const APART = new Set(['header', 'chatter', 'footer'])

/** Parses the arch of a form. `prefix` keeps the control ids of several forms on one page distinct. */
export function readForm({ root: sent, fields: known }: WireArch, prefix: string): FormArch {
  const fields = new Map(known.map((field) => [field.name, field]))
  const root = withTitles(sent, fields)
  const header = elementsOf(root).find(({ tag }) => tag === 'header')
  const sheet = elementsOf(root).find(({ tag }) => tag === 'sheet')
  const content = sheet ? sheet.children : root.children.filter((node) => !isElement(node) || !APART.has(node.tag))
  const beside = sheet ? root.children.filter((node) => isElement(node) && node !== sheet && !APART.has(node.tag)) : []
  const rest = content.filter((node) => !isElement(node) || !isButtonBox(node))
  const firstBlock = rest.findIndex((node) => isElement(node) && isBlock(node))
  const top = (firstBlock < 0 ? rest : rest.slice(0, firstBlock)).filter(isElement)
  // Fields alone above the first block are no title: they belong to the body.
  const hasTitle = top.some(({ tag }) => tag !== 'field') || top.some(isAvatar)
  const avatar = top.find(isAvatar) ?? null
  const { fieldNodes, around } = walk(root)
  return {
    buttons: header ? elementsOf(header).filter(({ tag }) => tag === 'button') : [],
    steps: header ? elementsOf(header).filter(({ tag }) => tag === 'field') : [],
    smart: content
      .filter(isElement)
      .filter(isButtonBox)
      .flatMap((box) => elementsOf(box)),
    avatar,
    headline: hasTitle ? top.filter((node) => node !== avatar) : [],
    body: [...(hasTitle ? (firstBlock < 0 ? [] : rest.slice(firstBlock)) : rest), ...beside],
    hasChatter: elementsOf(root).some(({ tag }) => tag === 'chatter'),
    fields,
    fieldNodes,
    ids: idsOf(fieldNodes, prefix),
    around,
  }
}

/** Gives `char` fields directly inside an `h1` the widget `title`, unless the view sets a widget. */
function withTitles(node: ArchNode, fields: FormArch['fields']): ArchNode {
  if (node.tag === 'field') return node
  const isTitle = ({ tag, attrs }: ArchNode): boolean =>
    node.tag === 'h1' &&
    tag === 'field' &&
    attrs['widget'] === undefined &&
    fields.get(attrs['name'] ?? '')?.type === 'char'
  const children = node.children.map((child) =>
    !isElement(child)
      ? child
      : isTitle(child)
        ? { ...child, attrs: { ...child.attrs, widget: 'title' } }
        : withTitles(child, fields),
  )
  return { ...node, children }
}

const isBlock = (node: ArchNode): boolean => BLOCKS.has(node.tag) || elementsOf(node).some(isBlock)

const isButtonBox = ({ attrs }: ArchNode): boolean =>
  attrs['name'] === 'button_box' || classesOf(attrs['class']).has('button-box')

const isAvatar = ({ tag, attrs }: ArchNode): boolean => tag === 'field' && classesOf(attrs['class']).has('avatar')

export const classesOf = (text: string | undefined): ReadonlySet<string> => new Set((text ?? '').split(/\s+/))

function walk(root: ArchNode) {
  const fieldNodes: ArchNode[] = []
  const around = new Map<ArchNode, readonly ArchNode[]>()
  const visit = (node: ArchNode, path: readonly ArchNode[]): void => {
    if (node.tag === 'field') {
      fieldNodes.push(node)
      around.set(node, path)
      return
    }
    for (const child of elementsOf(node)) visit(child, [...path, node])
  }
  visit(root, [])
  // Of two elements for the same field, the editable one comes first, so that error messages and the label point to the
  // control.
  return { fieldNodes: fieldNodes.toSorted((a, b) => Number(isFixed(a)) - Number(isFixed(b))), around }
}

const isFixed = ({ attrs }: ArchNode): boolean => attrs['readonly'] === '1'

/** Control ids: `f-name`, and `f-name-2` for the second element of the same field. */
function idsOf(nodes: readonly ArchNode[], prefix: string): ReadonlyMap<ArchNode, string> {
  const seen = new Map<string, number>()
  return new Map(
    nodes.map((node) => {
      const name = node.attrs['name'] ?? ''
      const nth = (seen.get(name) ?? 0) + 1
      seen.set(name, nth)
      return [node, `${prefix}-${name}${nth > 1 ? `-${nth}` : ''}`]
    }),
  )
}

export const isX2many = ({ type }: WireField): boolean => type === 'one2many' || type === 'many2many'

/** Whether a field takes the whole width of the sheet: lists, long texts and code. */
export function isWide({ attrs }: ArchNode, field: WireField): boolean {
  const { widget } = attrs
  if (isX2many(field)) return widget === undefined
  return field.type === 'html' || field.type === 'json' || field.type === 'text' || widget === 'code'
}

/** Key of a page in its notebook. */
export const pageKey = (page: ArchNode, index: number): string => page.attrs['name'] ?? `page-${index + 1}`

export const pagesOf = (notebook: ArchNode): readonly ArchNode[] =>
  elementsOf(notebook).filter(({ tag }) => tag === 'page')
