import { LIMITS } from '../limits.ts'
import type { Field } from './fields/field.ts'

/** How many of its first characters a text is sorted by, because a cursor contains them and is sent in a header; null: by the whole value. */
export const sortedCharsOf = ({ type, size }: Field): number | null =>
  type.comparison === 'text' && (size === null || size > LIMITS.sortedChars) ? LIMITS.sortedChars : null

/** Whether the column has a value in every row. The value of a computed field is stored after the INSERT, so its column must allow null. */
export const isNeverNull = ({ name, type, required, compute, system }: Field): boolean =>
  type.comparison === 'boolean' || (required && compute === null) || (system && name === 'id')
