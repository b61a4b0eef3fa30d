import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireArch, WireField } from '../../../../../../kernel/view/wire.ts'
import { elementsOf, isElement } from '../../../core/arch.ts'

/** A form taken apart: what goes into the bar, beside the title, and below it. */
export interface FormArch {
  readonly buttons: readonly ArchNode[]
  /** Fields of the header: the status bar. */
  readonly steps: readonly ArchNode[]
  /** Smart buttons. */
  readonly smart: readonly ArchNode[]
  readonly avatar: ArchNode | null
  /** Title and what stands around it. */
  readonly headline: readonly ArchNode[]
  readonly body: readonly (ArchNode | string)[]
  readonly hasChatter: boolean
  readonly fields: ReadonlyMap<string, WireField>
  /** Elements of fields in document order; those of inline views are not among them. */
  readonly fieldNodes: readonly ArchNode[]
  /** By the element of a field: id of its control, the same at every drawing. */
  readonly ids: ReadonlyMap<ArchNode, string>
  /** By the element of a field: elements around it, the outermost first. */
  readonly around: ReadonlyMap<ArchNode, readonly ArchNode[]>
}

const BLOCKS = new Set(['group', 'notebook', 'separator'])
const APART = new Set(['header', 'chatter', 'footer'])

/** `prefix` tells the controls of several forms on one page apart. */
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
  // Without a title on top a form is just its fields.
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

/** Texts that may be edited in a title are drawn by `title`, unless the view says otherwise. */
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
  // Where a field stands twice, the one that is never edited gives way: messages lead to the control, and its label is its own.
  return { fieldNodes: fieldNodes.toSorted((a, b) => Number(isFixed(a)) - Number(isFixed(b))), around }
}

const isFixed = ({ attrs }: ArchNode): boolean => attrs['readonly'] === '1'

/** `f-name`, and `f-name-2` where a field stands twice. */
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

/** Whether a field needs the whole width: lists, long texts, pictures of data. */
export function isWide({ attrs }: ArchNode, field: WireField): boolean {
  const { widget } = attrs
  if (isX2many(field)) return widget === undefined
  return field.type === 'html' || field.type === 'json' || field.type === 'text' || widget === 'code'
}

/** Name of a page in its notebook. */
export const pageKey = (page: ArchNode, index: number): string => page.attrs['name'] ?? `page-${index + 1}`

export const pagesOf = (notebook: ArchNode): readonly ArchNode[] =>
  elementsOf(notebook).filter(({ tag }) => tag === 'page')
