import type { Field, FieldType } from './field.ts'

type Common = Pick<
  FieldType,
  'bind' | 'bindType' | 'select' | 'form' | 'sortable' | 'groupable' | 'measures' | 'summary'
>

/** Shared by most types: one column of the row, selected and answered as it is stored. */
export const DIRECT: Common = {
  bindType: null,
  bind: (value) => value,
  select: (field, from) => [{ alias: field.name, expression: from.column(field.column!) }],
  form: 'value',
  sortable: true,
  groupable: true,
  measures: ['count', 'count_distinct'],
  summary: null,
}

/** JSON Schema of a value that may be unset. */
export const orNull = (field: Field, schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  field.required ? schema : { anyOf: [schema, { type: 'null' }] }
