import type { Env } from '../env.ts'
import { accessDenied } from '../errors.ts'
import type { Operation } from './tables.ts'

/**
 * What a key may do at most: methods by model (`*`: any other model), reading only, and whether it may change credentials of
 * users. Stored as JSON on the key.
 */
export interface KeyScope {
  readonly models?: Readonly<Record<string, readonly string[]>>
  readonly read_only?: boolean
  readonly credentials?: boolean
}

export interface ScopedCall {
  readonly model: string
  readonly method: string
  readonly isRead: boolean
}

/** The methods in a scope that allow an operation on a model, wherever a request uses the model: in commands, paths, names, actions. */
export const METHODS_FOR: Readonly<Record<Operation, readonly string[]>> = {
  read: ['search', 'search_read', 'read', 'read_group', 'onchange'],
  create: ['create', 'create_many'],
  write: ['write', 'write_many'],
  unlink: ['unlink', 'unlink_many'],
}

/** Names in a scope that are no models: every other model, and the metrics of the service. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['*', 'metrics'])

/** Every method that a scope may name. */
const SCOPE_METHODS: ReadonlySet<string> = new Set([...Object.values(METHODS_FOR).flat(), ...['call', 'explain', '*']])

const NOTHING: KeyScope = Object.freeze({ models: {} })

/** A stored scope; one that cannot be parsed covers nothing. */
export const readScope = (stored: unknown): KeyScope | null =>
  stored === null || stored === undefined ? null : isKeyScope(stored) ? stored : NOTHING

/** Refuses a call that the scope does not cover. */
export function requireScope(scope: KeyScope | null, call: ScopedCall): void {
  if (scopeAllows(scope, call)) return
  throw accessDenied('key_scope', `The scope of this API key does not cover ${call.method} of ${call.model}.`)
}

/** Whether a scope covers a method by its name. */
export function scopeAllows(scope: KeyScope | null, { model, method, isRead }: ScopedCall): boolean {
  if (scope === null) return true
  return (isRead || scope.read_only !== true) && namesOneOf(scope, model, [method])
}

/** Whether a scope covers an operation on the records of a model, by any of the methods that do it. */
export function scopeCovers(scope: KeyScope | null, model: string, operation: Operation): boolean {
  if (scope === null) return true
  return (operation === 'read' || scope.read_only !== true) && namesOneOf(scope, model, METHODS_FOR[operation])
}

function namesOneOf({ models }: KeyScope, model: string, methods: readonly string[]): boolean {
  if (models === undefined) return true
  const named = (Object.hasOwn(models, model) ? models[model] : models['*']) ?? []
  return named.includes('*') || methods.some((method) => named.includes(method))
}

/** A sentence about the first name in a scope that is no model or no method; undefined when all are known. */
export function unknownInScope(
  { registry, t }: Pick<Env, 'registry' | 't'>,
  { models = {} }: KeyScope,
): string | undefined {
  const model = Object.keys(models).find((name) => !OTHER_NAMES.has(name) && registry.model(name) === undefined)
  if (model !== undefined) return t('There is no model {model} in this installation.', { model })
  const method = Object.values(models)
    .flat()
    .find((name) => !SCOPE_METHODS.has(name))
  if (method === undefined) return undefined
  const methods = [...SCOPE_METHODS].join(', ')
  return t('There is no method {method}; a scope names {methods}.', { method, methods })
}

export function isKeyScope(value: unknown): value is KeyScope {
  if (!isObject(value)) return false
  const { models, read_only, credentials, ...rest } = value
  if (Object.keys(rest).length > 0 || !isFlag(read_only) || !isFlag(credentials)) return false
  return models === undefined || (isObject(models) && Object.values(models).every(isTextList))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean'

const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
