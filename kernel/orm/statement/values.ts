import { mayWriteField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { accessDenied, invalid } from '../../errors.ts'
import { type Field, Refusal } from '../../model/fields/field.ts'
import type { LinkCommand } from '../../model/fields/x2many.ts'
import type { Model } from '../../model/registry.ts'

export type InputValues = Readonly<Record<string, unknown>>

/** Validated values of one record, grouped by where they are stored. */
export interface ParsedValues {
  /** Columns of the record's own row. */
  readonly columns: ReadonlyMap<string, unknown>
  /** Commands for x2many fields. */
  readonly links: ReadonlyMap<string, readonly LinkCommand[]>
  /** Values for computed fields that have an inverse. */
  readonly inverses: ReadonlyMap<string, unknown>
}

/** Validates values field by field and collects all problems, so that a form can show them at once. */
export function parseValues(env: Env, model: Model, values: InputValues): ParsedValues {
  const problems: Record<string, string> = {}
  const empty = new Set<string>()
  const columns = new Map<string, unknown>()
  const links = new Map<string, readonly LinkCommand[]>()
  const inverses = new Map<string, unknown>()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const field = model.fields.get(name)
    if (field === undefined) {
      problems[name.slice(0, 80)] = env.t('There is no such field.')
      continue
    }
    if (!mayWriteField(env, field)) throw accessDenied('field_access', `You are not allowed to use the field ${name}.`)
    const computed = field.compute !== null
    if (computed && field.compute.inverse === null) problems[name] = env.t('Is computed and cannot be set.')
    else {
      const parsed = parseValue(env, field, value, problems)
      if (parsed === null && field.required && problems[name] === undefined) {
        problems[name] = missing(env, field)
        empty.add(name)
      }
      if (computed) inverses.set(name, parsed)
      else if (field.column !== null) columns.set(name, parsed)
      else links.set(name, (parsed ?? [[5]]) as readonly LinkCommand[])
    }
  }
  const names = Object.keys(problems)
  if (names.length > 0) {
    throw invalid(names.every((name) => empty.has(name)) ? 'value_required' : 'value_invalid', problems)
  }
  return { columns, links, inverses }
}

/** The stored value of one field; a problem is added to `problems`. */
function parseValue(env: Env, field: Field, value: unknown, problems: Record<string, string>): unknown {
  try {
    return value === null ? emptyValue(field) : field.type.parse(value, field)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems[field.name] = env.t(error.sentence, error.values)
    return null
  }
}

const missing = ({ t }: Env, { label }: Field): string => t('{field} is required.', { field: t(label) })

/** A boolean is never unset. */
const emptyValue = (field: Field) => (field.type.comparison === 'boolean' ? false : null)

/** The fields that a new row must have a value for. */
export const requiredFields = (model: Model): readonly Field[] =>
  [...model.fields.values()].filter(
    ({ required, system, column, compute }) => required && !system && column !== null && compute === null,
  )

/** Throws VALIDATION for required fields without a value. */
export function requireValues(env: Env, fields: readonly Field[], columns: ReadonlyMap<string, unknown>): void {
  const unset = fields.filter(({ name }) => (columns.get(name) ?? null) === null)
  if (unset.length === 0) return
  throw invalid('value_required', Object.fromEntries(unset.map((field) => [field.name, missing(env, field)])))
}
