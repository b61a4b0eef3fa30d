import { DIRECT } from './direct.ts'
import type { FieldDef, FieldOptions, FieldType } from './field.ts'

/** Any JSON value, kept as `jsonb`. */
export const jsonType: FieldType = {
  ...DIRECT,
  name: 'json',
  comparison: 'opaque',
  sqlType: () => 'jsonb',
  parse: (value) => value,
  sortable: false,
  groupable: false,
  measures: ['count'],
  widget: 'json',
  schema: () => ({}),
}

export const json = <T = unknown>(options: FieldOptions<T | null> = {}): FieldDef<T | null, T | null> => ({
  type: 'json',
  options: options as FieldOptions,
})
