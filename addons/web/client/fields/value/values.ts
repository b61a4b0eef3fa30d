import type { WireField } from '../../../../../kernel/view/wire.ts'

/** Reads field values as the server sends them, without assuming a type: a view may put a widget on a field of another type. */

export const textOf = (value: unknown): string =>
  value === null || value === undefined || value === false
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export interface Link {
  readonly id: number
  readonly name: string
}

/** A many2one: `[id, name]`, or an id alone when the name is unknown. */
export function linkOf(value: unknown): Link | null {
  const [id, name] = Array.isArray(value) ? value : [value, '']
  return typeof id === 'number' ? { id, name: typeof name === 'string' ? name : '' } : null
}

export const idsOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : []

/** The label of a selection key; a key that is no longer offered is shown as it is. */
export const choiceLabel = ({ selection = [] }: WireField, value: unknown): string =>
  selection.find(([key]) => key === value)?.[1] ?? textOf(value)

/** The value of a typed text, or the message that says why it has none. */
export type Parsed = { readonly value: unknown } | { readonly problem: string }
