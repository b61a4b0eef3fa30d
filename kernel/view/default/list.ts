import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import type { ArchNode } from '../arch/arch.ts'
import { isLong, isMany, shownFields } from '../arch/field-traits.ts'
import { element, fieldNode, GENERATED_TEXTS } from './element.ts'

const SHOWN = 8
const OFFERED = 16

/** The field that names a record: that of its display name, or the display name itself. */
export const nameOf = (model: Model): string => model.displayFields[0] ?? 'display_name'

/** Fields with a short value, the name first. `active` shows as a filter instead. */
export function listFields(model: Model): readonly Field[] {
  const name = model.fields.get(nameOf(model))
  const others = shownFields(model).filter(
    (field) => field !== name && field.name !== 'active' && !isMany(field) && !isLong(field) && isPlain(field),
  )
  return name === undefined ? others : [name, ...others]
}

const isPlain = (field: Field): boolean => field.type.comparison !== 'opaque'

/** A few columns; some more that a user may switch on. */
export function listOf(model: Model): ArchNode {
  const columns = listFields(model).slice(0, OFFERED)
  return element(
    'list',
    {},
    columns.map((field, index) =>
      fieldNode(field.name, {
        ...(index < SHOWN ? {} : { optional: 'hide' }),
        ...(field.currencyField === null ? {} : { sum: GENERATED_TEXTS.total }),
      }),
    ),
  )
}

/** Columns of the lines inside a form, without the link back to the record of the form. */
export const inlineListOf = (model: Model, inverse: string | null): ArchNode =>
  element(
    'list',
    {},
    listFields(model)
      .filter((field) => field.name !== inverse)
      .slice(0, SHOWN)
      .map((field) => fieldNode(field.name)),
  )
