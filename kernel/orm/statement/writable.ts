import { mayWriteField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { accessDenied, invalid } from '../../errors.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { modelOf } from './scope.ts'
import type { InputValues } from './values.ts'

/** Throws VALIDATION for fields that server code may write but an API caller may not: kernel fields and read-only ones. */
export function requireWritable(env: Env, model: Model, values: InputValues): void {
  const problems: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name)
    if (field === undefined) continue
    if (!mayWriteField(env, field)) throw accessDenied('field_access', `You are not allowed to use the field ${name}.`)
    if (field.system) problems[name] = 'Is kept by the system and cannot be set.'
    else if (field.readonly) problems[name] = 'Is read-only.'
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
