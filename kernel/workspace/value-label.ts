import type { Env } from '../env.ts'
import type { Field } from '../model/fields/field.ts'

/** A wire value of a field in words; a link is `[id, name]`. */
export function valueLabel({ t }: Env, { selection }: Field, value: unknown): string {
  if (value === null || value === undefined) return t('None')
  if (Array.isArray(value)) return String(value[1] ?? `#${value[0]}`)
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  const choice = selection?.get(String(value))
  return choice === undefined ? String(value) : t(choice)
}
