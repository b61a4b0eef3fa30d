import type { Field, FieldType } from '../field.ts'

type Common = Pick<FieldType, 'bind' | 'select' | 'wire' | 'sortable' | 'groupable' | 'measures' | 'heavy'>

/** What most types share: one column of the row, selected and answered as it is stored. */
export const DIRECT: Common = {
  bind: (value) => value,
  select: (field, from) => [{ alias: field.name, expression: from.column(field.column!) }],
  wire: (row, field) => row[field.name] ?? null,
  sortable: true,
  groupable: true,
  measures: ['count', 'count_distinct'],
  heavy: false,
}

/** JSON Schema of a value that may be unset. */
export const orNull = (field: Field, schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  field.required ? schema : { anyOf: [schema, { type: 'null' }] }
