import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import type { TableScope } from '../statement/scope.ts'

/** Replaces the dots in the name of a group row's value, because a domain reads dots as path steps. */
export const rowKey = (name: string): string => name.replaceAll('.', '/')

/** A scope over the group rows as if they were records, so that orders and domains work on them. */
export function groupScope(env: Env, model: Model, fields: readonly Field[]): TableScope {
  // Texts of groups are in the language of the caller already.
  const byKey = new Map(
    fields.map((field) => [rowKey(field.name), field.languages.length === 0 ? field : { ...field, languages: [] }]),
  )
  return { env, model: { ...model, fields: byKey, translated: [] }, alias: 'g' }
}

/** Rewrites a domain over the names in group rows into one over the fields of `groupScope`. */
export function renameConditions(domain: unknown, { model }: TableScope): unknown {
  if (!Array.isArray(domain)) return domain
  return domain.map((condition: unknown) => {
    if (!Array.isArray(condition) || typeof condition[0] !== 'string') return condition
    const key = rowKey(condition[0])
    return model.fields.has(key) ? [key, ...condition.slice(1)] : condition
  })
}
