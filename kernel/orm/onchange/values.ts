import { mayWriteField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { accessDenied, invalid } from '../../errors.ts'
import { type Field, Refusal } from '../../model/fields/field.ts'
import { isX2many } from '../../model/fields/kind.ts'
import type { LinkCommand } from '../../model/fields/x2many.ts'
import type { Model } from '../../model/registry.ts'
import { unsetValue } from '../compute/needs-store.ts'
import type { InputValues } from '../statement/values.ts'

/** Parsed values of a draft. The form may be incomplete, so required fields are not checked. */
export interface DraftValues {
  readonly plain: ReadonlyMap<Field, unknown>
  readonly links: ReadonlyMap<Field, readonly LinkCommand[]>
}

/**
 * Checks the values of a draft field by field. A form sends back everything it shows, so read-only and computed fields are
 * allowed; fields that the kernel maintains are dropped.
 */
export function parseDraftValues(env: Env, model: Model, values: InputValues): DraftValues {
  const problems: Record<string, string> = {}
  const plain = new Map<Field, unknown>()
  const links = new Map<Field, readonly LinkCommand[]>()
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name)
    if (field === undefined) problems[name.slice(0, 80)] = env.t('There is no such field.')
    else if (!mayWriteField(env, field))
      throw accessDenied('field_access', `You are not allowed to use the field ${name}.`)
    else if (value !== undefined && !field.system) {
      const parsed = parse(env, field, value, problems)
      // Parsing an x2many field gives commands; the type of `parse` does not express that.
      if (isX2many(field)) links.set(field, value === null ? [[5]] : (parsed as readonly LinkCommand[]))
      else plain.set(field, parsed)
    }
  }
  if (Object.keys(problems).length > 0) throw invalid('value_invalid', problems)
  return { plain, links }
}

function parse(env: Env, field: Field, value: unknown, problems: Record<string, string>): unknown {
  if (value === null) return unsetValue(field)
  try {
    return field.type.parse(value, field)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems[field.name] = env.t(error.sentence, error.values)
    return null
  }
}
