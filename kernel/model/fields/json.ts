import { LIMITS } from '../../limits.ts'
import { DIRECT } from './direct.ts'
import { type FieldDef, type FieldOptions, type FieldType, Refusal } from './field.ts'

/** Any JSON value, kept as `jsonb`. */
export const jsonType: FieldType = {
  ...DIRECT,
  name: 'json',
  comparison: 'opaque',
  sqlType: () => 'jsonb',
  parse(value, field) {
    const longest = field.size ?? LIMITS.jsonChars
    if (JSON.stringify(value).length > longest) {
      throw new Refusal('Must be at most {count} characters.', { count: longest })
    }
    return value
  },
  sortable: false,
  groupable: false,
  measures: ['count'],
  widget: 'json',
  schema: () => ({}),
}

export interface JsonOptions<T> extends FieldOptions<T | null> {
  /** Characters of its JSON at most. */
  readonly size?: number
}

export const json = <T = unknown>(options: JsonOptions<T> = {}): FieldDef<T | null, T | null> => ({
  type: 'json',
  options: options as FieldOptions,
})
