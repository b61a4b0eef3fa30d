import { mayWriteField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { accessDenied, invalid } from '../../errors.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { modelOf } from './scope.ts'
import type { InputValues } from './values.ts'

/** What server code declares about the values of a create or a write. */
export interface ServerValues {
  /** Allows read-only fields, because server code and not the caller chose the values; not inside commands. */
  readonly setsReadonly?: boolean
}

export interface WriteRights extends ServerValues {
  /** The many2one that a command on the other side sets, read-only or not. */
  readonly backLink?: string
}

/** Throws VALIDATION for fields that the kernel maintains, and for read-only ones unless `setsReadonly` or sudo allows them. */
export function requireWritable(
  env: Env,
  model: Model,
  values: InputValues,
  { setsReadonly = false, backLink }: WriteRights = {},
): void {
  const problems: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name)
    if (field === undefined || value === undefined) continue
    if (!mayWriteField(env, field)) throw accessDenied('field_access', `You are not allowed to use the field ${name}.`)
    if (field.system) problems[name] = env.t('Is kept by the system and cannot be set.')
    else if (field.readonly && !setsReadonly && !env.isSudo && name !== backLink)
      problems[name] = env.t('Is read-only.')
    else
      for (const linked of linkedValues(field, value))
        requireWritable(env, modelOf(env, field.relation!.target), linked)
  }
  if (Object.keys(problems).length > 0) throw invalid('field_read_only', problems)
}

/** The values inside create and update commands; their shape is checked later, by the field. */
function linkedValues(field: Field, value: unknown): readonly InputValues[] {
  if (field.type.comparison !== 'x2many' || !Array.isArray(value)) return []
  return value.flatMap((command: unknown) => {
    const values: unknown = Array.isArray(command) && (command[0] === 0 || command[0] === 1) ? command[2] : null
    return typeof values === 'object' && values !== null && !Array.isArray(values) ? [values as InputValues] : []
  })
}
