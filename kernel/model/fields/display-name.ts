import type { FieldType } from './field.ts'
import { charType } from './text.ts'

/** The name a record goes by: made from the model's display fields in the same statement as the row. */
export const displayNameType: FieldType = {
  ...charType,
  select: (field, from) => [{ alias: field.name, expression: from.ownDisplayName() }],
  sortable: false,
  groupable: false,
}
