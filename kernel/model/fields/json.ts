import { LIMITS } from '../../limits.ts'
import { DIRECT } from './direct.ts'
import { type FieldDef, type FieldOptions, type FieldType, Refusal } from './field.ts'

/** Whether JSON can hold every number in the value: JSON.parse reads `1e400` as Infinity, which JSON.stringify makes null. */
function isExpressible(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExpressible)
}

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
    if (!isExpressible(value)) throw new Refusal('Contains a number that is too large.')
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
