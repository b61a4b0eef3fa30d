import type { ModelName } from '../models.ts'
import { DIRECT, orNull } from './direct.ts'
import type { Optional, Readable } from './field.ts'
import { type FieldDef, type FieldOptions, type FieldType, isRecordId, type OnDelete, Refusal } from './field.ts'
import { nameAlias } from './wire.ts'

export interface Many2oneOptions extends FieldOptions<number | null> {
  readonly ondelete?: OnDelete
  /** Limits the records that a form offers; it is not a constraint. */
  readonly domain?: readonly unknown[]
  /** Refuse targets of another company, and users who do not belong to it. Default: true when the model has `company_id`. */
  readonly checkCompany?: boolean
}

export const many2oneType: FieldType = {
  ...DIRECT,
  name: 'many2one',
  comparison: 'many2one',
  sqlType: () => 'integer',
  /** An id, or the pair a read gave. */
  parse(value) {
    const id = Array.isArray(value) && value.length === 2 ? value[0] : value
    if (!isRecordId(id)) throw new Refusal('Must be the id of a record.')
    return id
  },
  select: (field, from) => [
    { alias: field.name, expression: from.column(field.column!) },
    { alias: nameAlias(field.name), expression: from.displayName(field.relation!, field.column!) },
  ],
  form: 'pair',
  widget: 'many2one',
  schema: (field) =>
    orNull(field, {
      description: `[id, display name] of ${field.relation!.target}; an id is accepted on write`,
      type: ['array', 'integer'],
    }),
}

/** A link to one record of another model. */
export const many2one = <const Target extends ModelName, const O extends Many2oneOptions>(
  target: Target,
  options?: O,
): FieldDef<
  Readable<O, [number, string | null]>,
  Optional<O, number | readonly [number, string | null]>,
  Target,
  'one'
> => ({ type: 'many2one', options: { ...options, target } })
