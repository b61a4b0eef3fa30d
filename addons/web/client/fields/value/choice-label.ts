import type { WireField } from '../../../../../kernel/view/wire.ts'
import { textOf } from './values.ts'

/** The label of a key; a key that is not offered any more shows as it is. */
export const choiceLabel = ({ selection = [] }: WireField, value: unknown): string =>
  selection.find(([key]) => key === value)?.[1] ?? textOf(value)
