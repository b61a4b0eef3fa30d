import { DIRECT } from './direct.ts'
import { type FieldDef, type FieldOptions, type FieldType, Refusal } from './field.ts'

export const booleanType: FieldType = {
  ...DIRECT,
  name: 'boolean',
  comparison: 'boolean',
  sqlType: () => 'boolean',
  parse(value) {
    if (typeof value !== 'boolean') throw new Refusal('Must be true or false.')
    return value
  },
  form: 'flag',
  widget: 'boolean',
  schema: () => ({ type: 'boolean' }),
}

/** Yes or no; never unset: without a default it is false. */
export const boolean = (options: FieldOptions<boolean> = {}): FieldDef<boolean, boolean | null> => ({
  type: 'boolean',
  options,
})
