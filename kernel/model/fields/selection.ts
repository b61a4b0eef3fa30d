import { DIRECT, orNull } from './direct.ts'
import type { Optional, Readable } from './field.ts'
import { type FieldDef, type FieldOptions, type FieldType, Refusal } from './field.ts'

export const selectionType: FieldType = {
  ...DIRECT,
  name: 'selection',
  comparison: 'text',
  sqlType: () => 'text',
  parse(value, field) {
    if (value === '') return null
    if (typeof value !== 'string' || !field.selection?.has(value)) {
      throw new Refusal('Must be one of: {keys}.', { keys: [...(field.selection?.keys() ?? [])].join(', ') })
    }
    return value
  },
  widget: 'selection',
  schema: (field) => orNull(field, { type: 'string', enum: [...(field.selection?.keys() ?? [])] }),
}

/** One of a fixed list of keys, each with its label; the order of the list is the order of groups. */
export const selection = <
  const S extends Readonly<Record<string, string>>,
  const O extends FieldOptions<(keyof S & string) | null>,
>(
  keys: S,
  options?: O,
): FieldDef<Readable<O, keyof S & string>, Optional<O, keyof S & string>> => ({
  type: 'selection',
  options: { ...options, selection: keys },
})
