import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import type { TableScope } from '../statement/scope.ts'

/** Paths step at dots, but the name of a group row may hold them. */
export const rowKey = (name: string): string => name.replaceAll('.', '/')

/** The group rows as if they were records, so that orders and domains speak of them like of any others. */
export function groupScope(env: Env, model: Model, fields: readonly Field[]): TableScope {
  const byKey = new Map(fields.map((field) => [rowKey(field.name), field]))
  return { env, model: { ...model, fields: byKey }, alias: 'g' }
}

/** A domain over the names of group rows as one over their fields. */
export function renameConditions(domain: unknown, { model }: TableScope): unknown {
  if (!Array.isArray(domain)) return domain
  return domain.map((condition: unknown) => {
    if (!Array.isArray(condition) || typeof condition[0] !== 'string') return condition
    const key = rowKey(condition[0])
    return model.fields.has(key) ? [key, ...condition.slice(1)] : condition
  })
}
