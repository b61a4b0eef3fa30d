import type { Env } from '../../env.ts'
import { accessDenied, notFound } from '../../errors.ts'
import type { Model } from '../../model/registry.ts'

/** The error for a record that exists but that the caller may not access. */
export const refused = (env: Env, model: Model, id: number) =>
  accessDenied('rule_hides_record', env.t('A rule keeps you from {model} {id}.', { model: env.t(model.label), id }), {
    model: model.name,
    id,
  })

/** The error for a record that does not exist. */
export const missing = (env: Env, model: Model, id: number) =>
  notFound('record_not_found', env.t('{model} {id} does not exist.', { model: env.t(model.label), id }), {
    model: model.name,
    id,
  })
