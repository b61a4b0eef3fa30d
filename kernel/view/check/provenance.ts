import type { Env } from '../../env.ts'
import { escapeAttribute, escapeText } from '../../html/entities.ts'
import type { ArchNode } from '../arch/arch.ts'
import { describeProblems } from '../inherit/list-problems.ts'
import { indexViews, primaryOf, resolveView, type ViewIndex } from '../inherit/resolve.ts'
import { loadViewTables } from '../load.ts'
import type { ViewRow } from '../tables.ts'
import { checkView } from './validate.ts'

/** A view as users get it, and its problems. */
export interface ViewProvenance {
  /** XML of the view with all its extensions; a comment names addon, view and line where another one begins. */
  readonly result: string
  /** Problems of the view: for an extension its own, for any other view also those of its extensions. */
  readonly problems: readonly string[]
}

/** Where each part of these views comes from, in the state of this transaction. A view that is switched off is missing. */
export async function viewProvenance(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, ViewProvenance>> {
  const tables = await loadViewTables(env.tx, env.registry)
  const index = indexViews([...tables.views.values()])
  const found = new Map<number, ViewProvenance>()
  const asked = new Map<ViewRow, number[]>()
  for (const id of ids) {
    const primary = primaryOf(index, id)
    if (primary !== null) asked.set(primary, [...(asked.get(primary) ?? []), id])
  }
  for (const [primary, members] of asked) {
    const { root } = resolveView(index, primary)
    const { problems } = await checkView(env, tables, index, primary)
    const result = root === null ? '' : printNode(index, root, null).join('\n')
    for (const id of members) {
      const own = problems.filter(({ view }) => id === primary.id || view.id === id)
      found.set(id, { result, problems: describeProblems(own) })
    }
  }
  return found
}

function printNode(index: ViewIndex, node: ArchNode, around: ViewRow | null): string[] {
  const origin = originOfNode(index, node) ?? around
  const attributes = Object.entries(node.attrs).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  const open = `<${node.tag}${attributes.join('')}`
  const children = node.children.flatMap((child) =>
    typeof child === 'string' ? printText(child) : printNode(index, child, origin),
  )
  return [
    ...(origin === around || origin === null ? [] : [`<!-- ${nameOf(origin)}${lineOf(node)} -->`]),
    ...(children.length === 0 ? [`${open}/>`] : [`${open}>`, ...children.map((line) => `  ${line}`), `</${node.tag}>`]),
  ]
}

const printText = (text: string): string[] => (text.trim() === '' ? [] : [escapeText(text.trim())])

const originOfNode = (index: ViewIndex, { source }: ArchNode): ViewRow | null =>
  source === undefined ? null : (index.views.get(source.viewId) ?? null)

/** A comment of XML ends at two hyphens, which names may have. */
const nameOf = ({ module, xmlid, name, id }: ViewRow): string =>
  `${module ?? 'changed by a user'}: ${xmlid ?? `${name} (${id})`}`.replaceAll('--', '- -')

const lineOf = ({ source }: ArchNode): string => (source === undefined ? '' : `, line ${source.line}`)
