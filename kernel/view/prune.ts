import { isGrantedAction, mayCallAction, mayReadField, mayUseModel, mayWriteField } from '../access/acl.ts'
import { fullXmlid } from '../data/xmlid.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { type ArchNode, isElement, isViewType } from './arch/arch.ts'
import { COUNT, fieldAttributes, fieldOfGroup } from './arch/field-attributes.ts'
import { accessOf } from './model-access.ts'
import { rowLock } from './row-lock.ts'

/**
 * The view as one user may see it: without elements for other groups and without fields they may not read, also inside the views
 * of lines. What is left of `groups` does not travel. `create`, `edit` and `delete` of each view say what the user may do,
 * and `readonly` of a list or board with which of its records they may not.
 */
export function pruneArch(env: Env, modelName: string, root: ArchNode): ArchNode {
  const model = env.registry.model(modelName)
  return (model && pruneNode(env, model, root)) ?? { ...bare(root), children: [] }
}

const bare = ({ tag, attrs, addon }: ArchNode) => ({ tag, attrs, addon })

function pruneNode(env: Env, model: Model, node: ArchNode): ArchNode | null {
  if (!isVisibleTo(env, node) || isForbiddenAction(env, model, node)) return null
  if (node.tag === 'chatter' && !hasChatter(env, model)) return null
  const inner = modelInside(env, model, node)
  if (inner === null) return null
  const children = node.children
    .map((child) => (isElement(child) ? pruneNode(env, inner, child) : child))
    .filter((child) => child !== null)
  if (children.length === 0 && node.children.length > 0 && CONTAINERS.has(node.tag)) return null
  const attrs = pruneAttributes(env, model, node)
  return attrs === null ? null : { ...bare(node), attrs, children }
}

/** Whether messages can be shown: a form may offer them although the addon that stores them is not installed. */
const hasChatter = (env: Env, model: Model): boolean => model.chatter !== 'none' && env.registry.addons.includes('mail')

/** A button whose action the server would refuse. */
const isForbiddenAction = (env: Env, model: Model, node: ArchNode): boolean =>
  isObjectButton(node) &&
  (!mayCallAction(env, model, node.attrs['name'] ?? '') ||
    (isChange(env, model, node) && !mayUseModel(env, model.name, 'write')))

const isObjectButton = ({ tag, attrs }: ArchNode): boolean => tag === 'button' && attrs['type'] === 'object'

/** Whether a button only writes its record with the rights of the user. */
const isChange = (env: Env, model: Model, { attrs: { name = '' } }: ArchNode): boolean =>
  model.undoableActions.has(name) && !isGrantedAction(env, model, name)

/** The form of a record that the user may not write, without the buttons that write it. */
export const withoutChanges = (env: Env, model: Model, root: ArchNode): ArchNode => ({
  ...root,
  children: root.children.flatMap((child) => {
    // Elements inside a field belong to its lines.
    if (!isElement(child) || child.tag === 'field') return [child]
    return isObjectButton(child) && isChange(env, model, child) ? [] : [withoutChanges(env, model, child)]
  }),
})

/** Elements that are removed if they are empty after pruning. */
const CONTAINERS: ReadonlySet<string> = new Set(['group', 'notebook', 'page', 'header', 'searchpanel', 'buttons'])

/** `groups="a,b,!c"`: in a or b, and not in c. Names without a dot are the addon's own. */
export function isVisibleTo(env: Env, { attrs, addon }: ArchNode): boolean {
  const names = (attrs['groups'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const isIn = (name: string) => env.hasGroup(fullXmlid(addon, name) ?? name)
  const wanted = names.filter((name) => !name.startsWith('!'))
  const unwanted = names.filter((name) => name.startsWith('!')).map((name) => name.slice(1))
  return (wanted.length === 0 || wanted.some(isIn)) && !unwanted.some(isIn)
}

/** The model of the records inside the element: for a field with views, its target. Null: the user may not see the element. */
function modelInside(env: Env, model: Model, node: ArchNode): Model | null {
  if (node.tag !== 'field') return model
  const field = model.fields.get(node.attrs['name'] ?? '')
  if (field === undefined) return node.attrs['name'] === COUNT ? model : null
  if (field.secret ? !mayWriteField(env, field) : !mayReadField(env, field)) return null
  if (field.relation === null) return model
  const target = env.registry.model(field.relation.target)
  const isListed = field.relation.kind !== 'many2one'
  return target === undefined || (isListed && !mayUseModel(env, target.name, 'read')) ? null : target
}

/** Without `groups` and without names of hidden fields; null for an element that is useless without one. */
function pruneAttributes(env: Env, model: Model, node: ArchNode): ArchNode['attrs'] | null {
  const naming = fieldAttributes(env.registry, node.tag)
  const attrs: [string, string][] = []
  for (const [name, value] of Object.entries(node.attrs)) {
    if (name === 'groups') continue
    if (naming.includes(name) && !maySee(env, model, fieldOfGroup(value))) {
      if (node.tag === 'label' || node.tag === 'progressbar') return null
      continue
    }
    if (name === 'default_order') attrs.push([name, visibleOrder(env, model, value)])
    else attrs.push([name, value])
  }
  // The description of a secret field is not sent, so its label is added to the element.
  const secret = node.tag === 'field' ? model.fields.get(node.attrs['name'] ?? '') : undefined
  if (secret?.secret && node.attrs['string'] === undefined) attrs.push(['string', secret.label])
  return Object.fromEntries(isViewType(env.registry, node.tag) ? [...attrs, ...refusals(env, model, node)] : attrs)
}

function maySee(env: Env, model: Model, name: string): boolean {
  const field = model.fields.get(name)
  return name === COUNT || (field !== undefined && mayReadField(env, field))
}

const visibleOrder = (env: Env, model: Model, order: string): string =>
  order
    .split(',')
    .filter((term) => maySee(env, model, term.trim().split(/\s/)[0] ?? ''))
    .join(',')

/** Views that offer changes of many records; a form gets the rights on its own record. */
const ROWS: ReadonlySet<string> = new Set(['list', 'kanban'])

function refusals(env: Env, model: Model, node: ArchNode): [string, string][] {
  const { create, write, unlink } = accessOf(env, model, node)
  const flags = { create, edit: write, delete: unlink }
  const lock = write && ROWS.has(node.tag) ? rowLock(env, model) : null
  const own = node.attrs['readonly']
  return [
    ...Object.entries(flags).flatMap(([name, allowed]): [string, string][] => (allowed ? [] : [[name, '0']])),
    ...(lock === null
      ? []
      : [['readonly', own === undefined ? lock : `(${own}) or ${lock}`] satisfies [string, string]]),
  ]
}
