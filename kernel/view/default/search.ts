import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import type { ArchNode } from '../arch/arch.ts'
import { isDay, isGroupable, isSearchable, shownFields } from '../arch/field-traits.ts'
import { element, fieldNode, GENERATED_TEXTS } from './element.ts'

const DATES = 2
const GROUPS = 8

/** The search fields of the model, and filters and groupings: own records, archived ones, dates, groups. */
export function searchOf(model: Model): ArchNode {
  const shown = shownFields(model)
  const own = model.fields.get('user_id')
  const sets = [
    own?.relation?.target === 'core.user' && isSearchable(own)
      ? [filter('mine', GENERATED_TEXTS.mine, { domain: "[('user_id', '=', user.id)]" })]
      : [],
    model.hasActive ? [filter('archived', GENERATED_TEXTS.archived, { domain: "[('active', '=', False)]" })] : [],
    ...shown
      .filter((field) => isDay(field) && field.column !== null)
      .slice(0, DATES)
      .map((field) => [filter(field.name, field.label, { date: field.name })]),
  ].filter((set) => set.length > 0)
  const groups = shown
    .filter((field) => isGroupable(field) && groupsWell(field))
    .slice(0, GROUPS)
    .map((field) => filter(`group_${field.name}`, field.label, { group_by: field.name }))
  return element('search', {}, [
    ...searched(model).map((name) => fieldNode(name)),
    ...sets.flatMap((set, index) => (index === 0 ? set : [element('separator'), ...set])),
    ...(groups.length > 0 ? [element('group', {}, groups)] : []),
  ])
}

const filter = (name: string, label: string, attrs: Readonly<Record<string, string>>): ArchNode =>
  element('filter', { name, string: label, ...attrs })

const searched = (model: Model): readonly string[] =>
  model.searchFields.length > 0 ? model.searchFields : ['display_name']

const groupsWell = (field: Field): boolean =>
  field.selection !== null || field.relation !== null || isDay(field) || field.type.comparison === 'boolean'
