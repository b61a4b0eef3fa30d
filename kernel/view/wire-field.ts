import type { Env } from '../env.ts'
import type { Field } from '../model/fields/field.ts'
import { labelIn } from '../model/fields/translation.ts'
import { isAggregatable, isGroupable, isSearchable, isSortable } from './arch/field-traits.ts'
import type { WireField } from './wire.ts'

/** What a browser needs to know about a field, `name` and `type` first. */
export const toWireField = ({ t }: Env, field: Field): WireField => ({
  name: field.name,
  type: field.type.name,
  label: labelIn(t, field),
  ...(field.help !== null && { help: t(field.help) }),
  ...(field.required && !field.system && { required: true as const }),
  ...((field.readonly || field.system) && { readonly: true as const }),
  ...(field.relation && { relation: field.relation.target }),
  ...(field.relation?.kind === 'one2many' && { inverse: field.relation.inverse }),
  ...(field.selection && { selection: [...field.selection].map(([key, label]) => [key, t(label)] as const) }),
  ...(field.size !== null && { size: field.size }),
  ...(field.languages.length > 0 && { languages: field.languages }),
  ...(field.digits && { digits: field.digits }),
  ...(field.currencyField !== null && { currencyField: field.currencyField }),
  ...(isSortable(field) && { sortable: true as const }),
  ...(isSearchable(field) && { searchable: true as const }),
  ...(isGroupable(field) && { groupable: true as const }),
  ...(isAggregatable(field) && { aggregatable: true as const }),
  ...(field.tracking && { tracked: true as const }),
  ...(!field.copy && !field.readonly && !field.system && { uncopied: true as const }),
})
