import { mayUseModel, mayWriteField } from '../access/acl.ts'
import { variableOf } from '../domain/bind.ts'
import { createZone, localDay } from '../domain/zone.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { viewVariables } from '../view/variables.ts'

const DEFAULT = 'default_'

type Context = Readonly<Record<string, unknown>>

/**
 * Values an action gives to new records: `default_<field>` of its context, for fields the user may fill in. Names like
 * `user.id` and `today` become values.
 */
export function actionDefaults(env: Env, model: Model, context: Context): Readonly<Record<string, unknown>> {
  if (!mayUseModel(env, model.name, 'create')) return {}
  const variables = new Map([...viewVariables(env), ['today', localDay(createZone(env.tz), env.now.getTime())]])
  const entries = Object.entries(context).flatMap(([key, value]) => {
    const field = key.startsWith(DEFAULT) ? model.fields.get(key.slice(DEFAULT.length)) : undefined
    if (field === undefined || field.system || field.readonly || !mayWriteField(env, field)) return []
    return [[field.name, typeof value === 'string' && variables.has(value) ? variableOf(variables, value) : value]]
  })
  return Object.fromEntries(entries)
}

/** A context without its default values. */
export const viewContext = (context: Context): Context =>
  Object.fromEntries(
    Object.entries(context).filter(([key]) => !key.startsWith(DEFAULT) && !key.startsWith('search_default_')),
  )
