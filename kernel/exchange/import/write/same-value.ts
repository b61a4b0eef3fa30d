import type { Field } from '../../../model/fields/field.ts'

/** Whether the stored wire value is what a write of `value` would store. */
export function isSame(field: Field, stored: unknown, value: unknown): boolean {
  if (field.type.comparison === 'many2one') return ((stored as readonly [number] | null)?.[0] ?? null) === value
  if (field.type.comparison === 'x2many') {
    const [, , wanted] = (value as readonly (readonly [6, 0, readonly number[]])[])[0]!
    return isSameSet(stored as readonly number[], wanted)
  }
  const parsed = value === null ? (field.type.comparison === 'boolean' ? false : null) : field.type.parse(value, field)
  return JSON.stringify(parsed) === JSON.stringify(stored ?? null)
}

const isSameSet = (a: readonly number[], b: readonly number[]): boolean => {
  const wanted = new Set(b)
  return a.length === wanted.size && a.every((id) => wanted.has(id))
}
