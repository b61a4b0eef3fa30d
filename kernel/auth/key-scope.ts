import { accessDenied } from '../errors.ts'
import type { Credential } from './principal.ts'

/** Limits what a key may do: methods by model (`*`: any other model), or reading only. Stored as JSON on the key. */
export interface KeyScope {
  readonly models?: Readonly<Record<string, readonly string[]>>
  readonly read_only?: boolean
}

export interface ScopedCall {
  readonly model: string
  readonly method: string
  readonly isRead: boolean
}

/** Refuses what the scope of a key does not cover; a session has none. */
export function requireScope(credential: Credential, call: ScopedCall): void {
  if (credential.kind === 'key' && !scopeAllows(credential.scope, call)) {
    throw accessDenied('key_scope', 'The scope of this API key does not cover the call.')
  }
}

/** Whether a key's scope covers a call. An invalid scope covers nothing. */
export function scopeAllows(scope: unknown, call: ScopedCall): boolean {
  if (scope === null || scope === undefined) return true
  if (!isKeyScope(scope)) return false
  if (scope.read_only === true && !call.isRead) return false
  if (scope.models === undefined) return true
  const methods = Object.hasOwn(scope.models, call.model) ? scope.models[call.model] : scope.models['*']
  return methods !== undefined && (methods.includes(call.method) || methods.includes('*'))
}

export function isKeyScope(value: unknown): value is KeyScope {
  if (!isObject(value)) return false
  const { models, read_only, ...rest } = value
  if (Object.keys(rest).length > 0 || (read_only !== undefined && typeof read_only !== 'boolean')) return false
  return models === undefined || (isObject(models) && Object.values(models).every(isTextList))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
