import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFUSED } from '../../kernel/access/acl.ts'
import { ADMINISTRATORS_ONLY } from '../../kernel/access/administrator.ts'
import { sentencesOf } from '../../kernel/document/declare.ts'
import { FAULT } from '../../kernel/job/outcome.ts'
import { labelOf } from '../../kernel/model/compile-field.ts'
import type { FieldDefs } from '../../kernel/model/define.ts'
import type { Registry } from '../../kernel/model/registry.ts'
import { SYSTEM_FIELDS } from '../../kernel/model/system-fields.ts'
import type { Addon } from '../../kernel/module/addon.ts'
import { TAKEN } from '../../kernel/schema/constraints.ts'
import { type ArchNode, isElement, VIEW_TYPE_LABELS, VIEW_TYPES } from '../../kernel/view/arch/arch.ts'
import { parseArch, parseSpecs } from '../../kernel/view/arch/parse-arch.ts'
import { GENERATED_TEXTS } from '../../kernel/view/default/element.ts'
import { generateView } from '../../kernel/view/default/view.ts'
import { originOf } from '../../kernel/view/inherit/resolve.ts'
import type { ViewRow, ViewTables } from '../../kernel/view/tables.ts'
import { TEXT_ATTRIBUTES } from '../../kernel/view/translate-arch.ts'

const root = join(import.meta.dirname, '../..')

/** All texts of an addon for users: in its manifest, models, views, menus, actions and code. */
export function addonSentences(addon: Addon, views: ViewTables): ReadonlySet<string> {
  const own = <T extends { readonly module: string | null }>(rows: Iterable<T>): readonly T[] =>
    [...rows].filter(({ module }) => module === addon.name)
  return sentences([
    addon.title,
    addon.summary,
    ...(addon.home.figures ?? []).map(({ label }) => label),
    ...addon.documents.flatMap(sentencesOf),
    ...addon.settings.flatMap((each) => [each.label, each.help, each.type === 'integer' ? (each.unit ?? '') : '']),
    ...(addon.home.steps ?? []).flatMap(({ label, text, button }) => [label, text, button]),
    ...addon.models.flatMap((model) => [
      ...(model.kind === 'model'
        ? [model.label, ...Object.values(model.handOver ?? {}).map(({ label }) => label)]
        : []),
      ...[model, ...(model.mixins ?? [])].flatMap(({ fields, constraints = {} }) => [
        ...fieldSentences(fields),
        ...Object.values(constraints).map(({ message }) => message),
      ]),
      ...(model.kind === 'extension' ? Object.values(model.selections ?? {}).flatMap(Object.values<string>) : []),
    ]),
    ...addon.data.flatMap(({ text }) => ruleNames(text)),
    ...own(views.menus).map(({ name }) => name),
    ...own(views.actions.values()).flatMap(({ name, help, recordName, recordNames }) => [
      name,
      help ?? '',
      recordName ?? '',
      recordNames ?? '',
    ]),
    ...own(views.views.values()).flatMap(viewSentences),
    ...spokenIn(`addons/${addon.name}`),
  ])
}

/** The names of shipped rules, which are shown in the language of the reader. */
const ruleNames = (text: string): readonly string[] =>
  [...text.matchAll(/<rule\s[^>]*?\bname="([^"]*)"/g)].map(([, name]) => name!)

/** What the kernel says about records. Its pages have words of their own. */
export const kernelSentences = (): ReadonlySet<string> =>
  sentences([
    ...fieldSentences(SYSTEM_FIELDS),
    ...Object.values(VIEW_TYPE_LABELS),
    ...Object.values(GENERATED_TEXTS),
    ...Object.values(REFUSED),
    TAKEN,
    FAULT,
    ADMINISTRATORS_ONLY,
    ...spokenIn('kernel'),
  ])

/** Texts of generated views. */
export const generatedSentences = (registry: Registry): ReadonlySet<string> =>
  sentences(
    [...registry.models.keys()]
      .flatMap((model) => VIEW_TYPES.map((type) => generateView(registry, model, type)))
      .flatMap((view) => (view === null ? [] : archSentences(view))),
  )

/** Text without a letter is the same everywhere. */
const sentences = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.filter((text) => /\p{L}/u.test(text)))

const fieldSentences = (fields: FieldDefs): readonly string[] =>
  Object.entries(fields).flatMap(([name, { options }]) => [
    options.label ?? labelOf(name),
    options.help ?? '',
    ...Object.values(options.selection ?? {}),
  ])

function viewSentences(view: ViewRow): readonly string[] {
  const parsed = (view.mode === 'primary' && view.inheritId === null ? parseArch : parseSpecs)(
    view.arch,
    originOf(view),
  )
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

/** Sentences in the code of a folder: what is handed to `t` or is a `Refusal`, or why a text of a file stands for no record. */
const spokenIn = (folder: string): readonly string[] =>
  sourcesIn(folder).flatMap((text) =>
    [...text.matchAll(SPOKEN)].map(([, sentence]) => sentence!.replaceAll("\\'", "'")),
  )

const SPOKEN = /(?:\bt|new Refusal|new Unfound)\(\s*'((?:[^'\\\n]|\\.)+)'/g

/** Not pages and not the browser's client, which have catalogues of their own, and not tests. */
const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^((page|auth|client|test|data)\/|shell\/shell-page\.ts$)/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
