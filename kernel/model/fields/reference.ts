import { DIRECT, orNull } from './direct.ts'
import type { Optional, Readable } from './field.ts'
import { type FieldDef, type FieldOptions, type FieldType, Refusal } from './field.ts'

const REFERENCE = /^[a-z][a-z0-9_.]*,[1-9][0-9]{0,9}$/

/** A link to a record of any model, kept and sent as `model,id`. */
export const referenceType: FieldType = {
  ...DIRECT,
  name: 'reference',
  comparison: 'text',
  sqlType: () => 'text',
  parse(value) {
    if (typeof value !== 'string' || !REFERENCE.test(value)) throw new Refusal('Must look like core.partner,7.')
    return value
  },
  widget: 'reference',
  schema: (field) => orNull(field, { type: 'string', pattern: REFERENCE.source }),
}

export const reference = <const O extends FieldOptions<string | null>>(
  options?: O,
): FieldDef<Readable<O, string>, Optional<O, string>> => ({ type: 'reference', options: options ?? {} })
