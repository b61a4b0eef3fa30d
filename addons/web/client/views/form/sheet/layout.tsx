import { useComputed } from '@preact/signals'
import { type ComponentChildren, type ComponentType, h } from 'preact'
import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { elementsOf, isElement } from '../../../core/arch.ts'
import { holds } from '../../../core/expression.ts'
import { services } from '../../../services.ts'
import { valuesOf } from '../../../store/records.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { ArchButton } from '../action/arch-button.tsx'
import { classesOf, isWide, isX2many, pageKey, pagesOf } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { notebookKey } from '../save/focus.ts'
import { type FieldPlaceProps, FormField } from './field.tsx'

/** Elements of the arch with their own component; all others are rendered as plain markup. */
const DRAWN: Readonly<Record<string, ComponentType<FieldPlaceProps>>> = {
  field: ({ form, node }) => {
    const field = form.arch.fields.get(node.attrs['name'] ?? '')
    const isBlock = node.attrs['nolabel'] === '1' && field !== undefined && (isWide(node, field) || isX2many(field))
    return <FormField form={form} node={node} style={isBlock ? 'block' : 'row'} />
  },
  group: Group,
  notebook: Notebook,
  separator: Separator,
  label: FieldLabel,
  button: ({ form, node }) => <ArchButton form={form} node={node} />,
  icon: ({ node }) => <Icon name={node.attrs['name'] ?? 'circle'} />,
  br: () => <br />,
  hr: () => <hr />,
  // Rendered next to the sheet.
  chatter: () => null,
}

/** Renders an element of the arch unless its condition hides it. */
export function Element({ form, node }: FieldPlaceProps) {
  const isHidden = useComputed(() => node.tag !== 'field' && holds(node.attrs['invisible'], form.scope.value))
  if (isHidden.value) return null
  const Drawing = DRAWN[node.tag]
  return Drawing ? <Drawing form={form} node={node} /> : <Markup form={form} node={node} />
}

export const Elements = ({
  form,
  nodes,
}: {
  readonly form: FormModel
  readonly nodes: readonly (ArchNode | string)[]
}) => (
  <>{nodes.map((node, index) => (isElement(node) ? <Element key={index} form={form} node={node} /> : text(node)))}</>
)

const text = (content: string): ComponentChildren => (content.trim() === '' ? null : content)

/** An `h1` of a view becomes a `div`, since the page already has an `h1`. */
const TAGS: Readonly<Record<string, string>> = { h1: 'div', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h5', h6: 'h6' }
const PLAIN = new Set(['span', 'p', 'strong', 'b', 'em', 'i', 'small', 'ul', 'ol', 'li', 'footer'])

/** Renders a plain HTML element; fields inside it are inline. */
function Markup({ form, node }: FieldPlaceProps) {
  const tag = TAGS[node.tag] ?? (PLAIN.has(node.tag) ? node.tag : 'div')
  const isBlock = elementsOf(node).some((child) => child.tag === 'group' || child.tag === 'notebook')
  const classes = classNames(node.tag === 'h1' && 'title', !isBlock && 'inline', ...classesOf(node.attrs['class']))
  return h(
    tag,
    { class: classes },
    node.children.map((child, index) =>
      !isElement(child) ? (
        child
      ) : child.tag === 'field' && !isBlock ? (
        <FormField key={index} form={form} node={child} style="inline" />
      ) : (
        <Element key={index} form={form} node={child} />
      ),
    ),
  )
}

function Separator({ node }: FieldPlaceProps) {
  const { string } = node.attrs
  return string === undefined ? <hr class="sep" /> : <h2 class="sep">{string}</h2>
}

function FieldLabel({ form, node }: FieldPlaceProps) {
  const target = form.arch.fieldNodes.find(({ attrs }) => attrs['name'] === node.attrs['for'])
  const field = form.arch.fields.get(node.attrs['for'] ?? '')
  return (
    <label class="label" for={target ? form.arch.ids.get(target) : undefined}>
      {node.attrs['string'] ?? field?.label}
    </label>
  )
}

/** Groups inside a group are placed side by side, fields of a group below each other. */
function Group({ form, node }: FieldPlaceProps) {
  const inside = elementsOf(node)
  const { string } = node.attrs
  if (classesOf(node.attrs['class']).has('totals')) return <Totals form={form} node={node} />
  const isOuter = inside.some(({ tag }) => tag === 'group')
  return (
    <section class="fgroup" {...(string !== undefined && { 'aria-label': string })}>
      {string !== undefined && <h2 class="group-h">{string}</h2>}
      <div class={classNames('group2', node.attrs['col'] === '1' && 'one')}>
        {isOuter
          ? columnsOf(inside).map((column, index) => <Column key={index} form={form} nodes={column} />)
          : inside.map((child, index) => <Cell key={index} form={form} node={child} />)}
      </div>
    </section>
  )
}

/** Splits the content of a group into columns: each inner group is one, and so are the elements between two groups. */
function columnsOf(nodes: readonly ArchNode[]): readonly (readonly ArchNode[])[] {
  const columns: ArchNode[][] = []
  for (const node of nodes) {
    const last = columns.at(-1)
    if (node.tag === 'group' || !last || last[0]?.tag === 'group') columns.push([node])
    else last.push(node)
  }
  return columns
}

function Column({ form, nodes }: { readonly form: FormModel; readonly nodes: readonly ArchNode[] }) {
  const [group] = nodes
  const isHidden = useComputed(() => group?.tag === 'group' && holds(group.attrs['invisible'], form.scope.value))
  if (!group || isHidden.value) return null
  const inside = group.tag === 'group' ? elementsOf(group) : nodes
  const string = group.tag === 'group' ? group.attrs['string'] : undefined
  return (
    <div class="fcol">
      {string !== undefined && <h2 class="group-h">{string}</h2>}
      <Elements form={form} nodes={inside} />
    </div>
  )
}

/** A cell of a group; a wide field takes the whole row. */
function Cell({ form, node }: FieldPlaceProps) {
  const field = node.tag === 'field' ? form.arch.fields.get(node.attrs['name'] ?? '') : undefined
  const isFull = node.tag !== 'field' || (field !== undefined && isWide(node, field)) || node.attrs['colspan'] === '2'
  if (!isFull) return <Element form={form} node={node} />
  return (
    <div class="full">
      <Element form={form} node={node} />
    </div>
  )
}

/** Totals below lines. */
const Totals = ({ form, node }: FieldPlaceProps) => (
  <div class="totals">
    <Elements form={form} nodes={elementsOf(node)} />
  </div>
)

function Notebook({ form, node }: FieldPlaceProps) {
  const pages = pagesOf(node).map((page, index) => ({ page, name: pageKey(page, index) }))
  const shown = useComputed(() => {
    const scope = form.scope.value
    return pages.filter(({ page }) => !holds(page.attrs['invisible'], scope)).map(({ name }) => name)
  })
  const key = notebookKey(node)
  const wanted = form.pages.value[key]
  const names = new Set(shown.value)
  const active = wanted !== undefined && names.has(wanted) ? wanted : shown.value[0]
  const current = pages.find(({ name }) => name === active)
  const wrong = useComputed(() => pagesWithErrors(form, node))
  if (active === undefined || !current) return null
  return (
    <section class="notebook">
      <Tabs
        label={node.attrs['string'] ?? current.page.attrs['string'] ?? active}
        tabs={pages
          .filter(({ name }) => names.has(name))
          .map(({ page, name }) => ({
            name,
            label: `${page.attrs['string'] ?? name}${wrong.value.has(page) ? ' •' : ''}`,
            ...countOf(form, page),
          }))}
        active={active}
        onChange={(name) => {
          form.pages.value = { ...form.pages.peek(), [key]: name }
        }}
      >
        <div class="page" key={active}>
          <Elements form={form} nodes={current.page.children} />
        </div>
      </Tabs>
    </section>
  )
}

/** The rows of a list, without the headings and texts between them. */
function ordinaryRows(form: FormModel, { attrs: { name = '' }, children }: ArchNode): readonly number[] {
  const { rows, values } = form.draft.lines(name)
  const kind = children.filter(isElement).find(({ tag }) => tag === 'list')?.attrs['display_type']
  const model = form.arch.fields.get(name)?.relation
  if (kind === undefined || model === undefined) return rows
  const saved = (row: number) => (row > 0 ? valuesOf(services().records.get(model, row)).value[kind] : null)
  return rows.filter((row) => !(values[row]?.[kind] ?? saved(row)))
}

/** Number of lines for the tab of a page with exactly one list. */
function countOf(form: FormModel, page: ArchNode): { readonly count?: number } {
  const lists = elementsOf(page).filter(({ tag, attrs }) => {
    const field = tag === 'field' ? form.arch.fields.get(attrs['name'] ?? '') : undefined
    return field !== undefined && isX2many(field)
  })
  const [only] = lists
  if (lists.length !== 1 || !only) return {}
  const count = ordinaryRows(form, only).length
  return count > 0 ? { count } : {}
}

function pagesWithErrors({ arch, errors, invalid }: FormModel, notebook: ArchNode): ReadonlySet<ArchNode> {
  const wrong = { ...errors.value, ...invalid.value }
  return new Set(
    arch.fieldNodes.flatMap((node) => {
      if (wrong[node.attrs['name'] ?? ''] === undefined) return []
      const around = arch.around.get(node) ?? []
      return around[around.indexOf(notebook) + 1] ?? []
    }),
  )
}
