import { mayReadField } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { namesOf, parseExpression } from '../expression/parse.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { aboutFields, searchedFields } from './about-fields.ts'
import { type ArchNode, type ContentViewType, elementsOf, isViewType } from './arch/arch.ts'
import { isConditionAttribute } from './arch/condition-attributes.ts'
import { fieldAttributes, fieldOfGroup } from './arch/field-attributes.ts'
import { accessOf } from './model-access.ts'
import { pruneArch } from './prune.ts'
import type { ResolvedView } from './tables.ts'
import { translateArch } from './translate-arch.ts'
import type { WireArch, WireRelated } from './wire.ts'
import { toWireField } from './wire-field.ts'

/** A resolved view as it travels to this user's browser, with everything it needs to know about fields; the columns of a board are added later. */
export function toWireArch(env: Env, model: Model, type: ContentViewType, resolved: ResolvedView): WireArch {
  const root = translateArch(env, pruneArch(env, model.name, resolved.root))
  const related: Record<string, WireRelated> = {}
  const fields = collectFields(env, model, [root], '', related)
  const isWarned = resolved.problems.length > 0 && env.hasGroup('base.group_system')
  return {
    type,
    model: model.name,
    fields: fields.map((field) => toWireField(env, field)),
    related,
    root,
    access: accessOf(env, model, root),
    ...(model.hasActive && { archivable: true as const }),
    ...(type === 'list' && { exportable: true as const }),
    ...(isWarned && { warnings: resolved.problems }),
  }
}

/**
 * Fields of the model that the view shows or reads, in the order of appearance, and below `prefix` the description of the models they
 * link to.
 */
function collectFields(
  env: Env,
  model: Model,
  roots: readonly ArchNode[],
  prefix: string,
  related: Record<string, WireRelated>,
): readonly Field[] {
  const fields = new Map<string, Field>()
  const views = new Map<string, ArchNode[]>()
  const add = (name: string): void => {
    const field = model.fields.get(name)
    if (field === undefined || fields.has(name) || !mayReadField(env, field)) return
    fields.set(name, field)
    if (field.currencyField !== null) add(field.currencyField)
  }
  const visit = (node: ArchNode): void => {
    const { name } = node.attrs
    for (const mentioned of mentionedFields(env, node)) add(mentioned)
    const isField = node.tag === 'field' && name !== undefined
    if (isField) add(name)
    for (const child of elementsOf(node)) {
      if (!isField || !isViewType(env.registry, child.tag)) visit(child)
      else views.set(name, [...(views.get(name) ?? []), child])
    }
  }
  for (const root of roots) visit(root)
  for (const name of parentFields([...views.values()].flat())) add(name)
  for (const field of fields.values()) addRelated(env, field, views.get(field.name) ?? [], prefix, related)
  return [...fields.values()]
}

function addRelated(
  env: Env,
  { name, relation }: Field,
  views: readonly ArchNode[],
  prefix: string,
  related: Record<string, WireRelated>,
): void {
  const target = relation === null ? undefined : env.registry.model(relation.target)
  if (target === undefined) return
  const path = `${prefix}${name}`
  const fields = collectFields(env, target, views, `${path}.`, related)
  const about = aboutFields(env, target)
  const searched = searchedFields(env, target).filter((each) => !target.displayFields.includes(each))
  related[path] = {
    model: target.name,
    fields: fields.map((field) => toWireField(env, field)),
    ...(about.length > 0 && { about: about.map((field) => toWireField(env, field)) }),
    ...(searched.length > 0 && { searched }),
    access: accessOf(env, target, views[0]),
  }
}

/** Fields that an element reads without showing them: in conditions, and in attributes that name a field. */
function mentionedFields({ registry }: Env, { tag, attrs }: ArchNode): readonly string[] {
  const naming = fieldAttributes(registry, tag)
  return Object.entries(attrs).flatMap(([name, value]) => {
    if (isConditionAttribute(name)) return conditionNames(value).filter((mentioned) => !mentioned.includes('.'))
    return naming.includes(name) ? [fieldOfGroup(value)] : []
  })
}

/** Fields of this record that the views of its lines read. */
function parentFields(views: readonly ArchNode[]): readonly string[] {
  return views.flatMap((node) => [
    ...Object.entries(node.attrs)
      .filter(([name]) => isConditionAttribute(name))
      .flatMap(([, value]) => conditionNames(value))
      .filter((name) => name.startsWith('parent.'))
      .map((name) => name.slice('parent.'.length)),
    ...parentFields(elementsOf(node)),
  ])
}

/** The names that a condition refers to; none if it does not parse. */
function conditionNames(text: string): readonly string[] {
  try {
    return namesOf(parseExpression(text))
  } catch {
    return []
  }
}
