import type { Addon } from '../../kernel/index.ts'
import { labelOf } from '../../kernel/model/compile-field.ts'
import type { FieldDefs } from '../../kernel/model/define.ts'
import { type ArchNode, isElement } from '../../kernel/view/arch.ts'
import { parseArch, parseSpecs } from '../../kernel/view/parse-arch.ts'
import { originOf } from '../../kernel/view/resolve.ts'
import type { MenuRow, ViewRow, ViewTables, WindowAction } from '../../kernel/view/tables.ts'
import { TEXT_ATTRIBUTES } from '../../kernel/view/translate-arch.ts'

/** Everything an addon says to people: in its manifest, its models, its views, its menus and its actions. */
export function sentencesOf(addon: Addon, views: ViewTables): ReadonlySet<string> {
  const own = <T extends { readonly module: string | null }>(rows: Iterable<T>): readonly T[] =>
    [...rows].filter(({ module }) => module === addon.name)
  return new Set(
    [
      addon.title,
      addon.summary,
      ...addon.models.flatMap((model) => [
        ...(model.kind === 'model' ? [model.label] : []),
        ...[model, ...(model.mixins ?? [])].flatMap(({ fields }) => fieldSentences(fields)),
        ...(model.kind === 'extension' ? Object.values(model.selections ?? {}).flatMap(Object.values) : []),
        ...Object.values(model.constraints ?? {}).map(({ message }) => message),
      ]),
      ...own<MenuRow>(views.menus).map(({ name }) => name),
      ...own<WindowAction>(views.actions.values()).flatMap(({ name, help }) => [name, help ?? '']),
      ...own<ViewRow>(views.views.values()).flatMap(viewSentences),
    ].filter((text: string) => /\p{L}/u.test(text)),
  )
}

/** What fields say about themselves. */
export const fieldSentences = (fields: FieldDefs): readonly string[] =>
  Object.entries(fields).flatMap(([name, { options }]) => [
    options.label ?? labelOf(name),
    options.help ?? '',
    ...Object.values(options.selection ?? {}),
  ])

function viewSentences(view: ViewRow): readonly string[] {
  const parsed = (view.mode === 'primary' && view.inheritId === null ? parseArch : parseSpecs)(view.arch, originOf(view))
  if ('problems' in parsed) throw new Error(`View ${view.xmlid} cannot be read.`)
  return archSentences(parsed.root)
}

/** The text of an element that changes an attribute counts where people read the attribute. */
function archSentences({ tag, attrs, children }: ArchNode): readonly string[] {
  const isRead = tag !== 'attribute' || TEXT_ATTRIBUTES.includes(attrs['name'] ?? '')
  return [
    ...TEXT_ATTRIBUTES.map((name) => attrs[name] ?? ''),
    ...children.flatMap((child) => (isElement(child) ? archSentences(child) : isRead ? [child.trim()] : [])),
  ]
}
