import { LIMITS } from '../../limits.ts'
import type { ModelName } from '../models.ts'
import { DIRECT } from './direct.ts'
import { type FieldDef, type FieldOptions, type FieldType, isRecordId, Refusal } from './field.ts'

type Vals = Readonly<Record<string, unknown>>

/** A change to the linked records, as on the wire. */
export type LinkCommand =
  | readonly [0, unknown, Vals]
  | readonly [1, number, Vals]
  | readonly [2, number, ...unknown[]]
  | readonly [3, number, ...unknown[]]
  | readonly [4, number, ...unknown[]]
  | readonly [5, ...unknown[]]
  | readonly [6, unknown, readonly number[]]

export type LinkValue = readonly number[] | readonly LinkCommand[]

export interface X2manyOptions extends FieldOptions<LinkValue> {
  readonly domain?: readonly unknown[]
}

export interface Many2manyOptions extends X2manyOptions {
  /** Refuse users who do not belong to the company of the record. Default: true when the model has `company_id`. */
  readonly checkCompany?: boolean
  /** Name of the link table and its columns, where two fields are the two sides of one link. */
  readonly relationTable?: { readonly table: string; readonly left: string; readonly right: string }
}

const isVals = (value: unknown): value is Vals => typeof value === 'object' && value !== null && !Array.isArray(value)

const COMMAND_SHAPES: readonly ((command: readonly unknown[]) => boolean)[] = [
  (c) => c.length === 3 && isVals(c[2]),
  (c) => c.length === 3 && isRecordId(c[1]) && isVals(c[2]),
  (c) => isRecordId(c[1]),
  (c) => isRecordId(c[1]),
  (c) => isRecordId(c[1]),
  () => true,
  (c) => c.length === 3 && Array.isArray(c[2]) && c[2].every(isRecordId),
]

const isCommand = (value: unknown): value is LinkCommand =>
  Array.isArray(value) && typeof value[0] === 'number' && COMMAND_SHAPES[value[0]]?.(value) === true

/** An id list means "set to these"; anything else must be commands. */
export function parseLinks(value: unknown): readonly LinkCommand[] {
  if (!Array.isArray(value)) throw new Refusal('Must be a list of ids or of commands.')
  const commands: unknown[] = value.every(isRecordId) ? [[6, 0, value]] : value
  if (!commands.every(isCommand)) throw new Refusal('Must be a list of ids or of commands.')
  const entries = commands.reduce((sum, command) => sum + (command[0] === 6 ? command[2].length : 1), 0)
  if (entries > LIMITS.ids) throw new Refusal('Must have at most {count} entries.', { count: LIMITS.ids })
  return commands
}

const x2manyType = (name: 'one2many' | 'many2many', widget: string): FieldType => ({
  ...DIRECT,
  name,
  comparison: 'x2many',
  sqlType: () => null,
  parse: parseLinks,
  select: (field, from) => [{ alias: field.name, expression: from.linkedIds(field.relation!) }],
  form: 'list',
  sortable: false,
  groupable: name === 'many2many',
  measures: ['count'],
  widget,
  schema: (field) => ({ type: 'array', description: `ids of ${field.relation!.target}, or commands on write` }),
})

export const one2manyType = x2manyType('one2many', 'one2many')
export const many2manyType = x2manyType('many2many', 'many2many')

/** The records of another model whose many2one `inverse` points here. */
export const one2many = <const Target extends ModelName>(
  target: Target,
  inverse: string,
  options: X2manyOptions = {},
): FieldDef<number[], LinkValue, Target, 'many'> => ({ type: 'one2many', options: { ...options, target, inverse } })

/** Links to any number of records of another model. */
export const many2many = <const Target extends ModelName>(
  target: Target,
  options: Many2manyOptions = {},
): FieldDef<number[], LinkValue, Target, 'many'> => ({ type: 'many2many', options: { ...options, target } })
