import type { FieldProps } from '../../core/registries.ts'
import { classNames } from '../../ui/class-names.ts'

/** What the label of the field says; controls carry it also where no label is drawn. */
export const labelOf = ({ node, field }: Pick<FieldProps, 'node' | 'field'>): string =>
  node.attrs['string'] ?? field.label

/** What ties a control to its label and to the message about it. */
export const controlOf = (props: FieldProps) => ({
  id: props.id,
  'aria-label': labelOf(props),
  'aria-required': props.required || undefined,
  'aria-invalid': props.error !== null || undefined,
  'aria-describedby': props.error === null ? undefined : `${props.id}-error`,
})

/** A control of a record shows its box only under the pointer and the caret; elsewhere it always does. */
export const boxClass = ({ view }: Pick<FieldProps, 'view'>, ...names: readonly (string | false)[]): string =>
  classNames(...names, view === 'form' && 'quiet')

export const placeholderOf = ({ node }: Pick<FieldProps, 'node'>): string => node.attrs['placeholder'] ?? ''
