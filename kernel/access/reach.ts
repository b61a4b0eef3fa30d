import type { DomainNode } from '../domain/ast.ts'
import { headOf } from '../domain/cut-text.ts'
import type { Env } from '../env.ts'
import { type AppError, type ErrorDetails, notFound } from '../errors.ts'
import type { Translate } from '../i18n/translate.ts'
import type { Model } from '../model/registry.ts'
import { mayUseModel } from './acl.ts'
import { ruleDomain } from './rules.ts'

/** The name may come from a request, so it is shortened. */
export const unknownModel = (t: Translate, name: string, details: ErrorDetails = {}): AppError =>
  notFound('model_unknown', t('There is no model {model}.', { model: headOf(name, 80) }), details)

/** What the caller may read of a model that a query steps to. */
export interface Reach {
  readonly model: Model
  /** Which of its records; null: all of them. */
  readonly rule: DomainNode | null
}

/** Every step of a query to another model calls this. Null: the caller may not read the model at all. */
export function reachModel(env: Env, name: string): Reach | null {
  const model = env.registry.model(name)
  if (model === undefined) throw unknownModel(env.t, name)
  return mayUseModel(env, name, 'read') ? { model, rule: ruleDomain(env, model, 'read') } : null
}
