import type { FieldProps } from '../../core/registries.ts'
import { classNames } from '../../ui/class-names.ts'

/** The label text of a field; controls use it as `aria-label` where no label is drawn. */
export const labelOf = ({ node, field }: Pick<FieldProps, 'node' | 'field'>): string =>
  node.attrs['string'] ?? field.label

/** The attributes that connect a control with its label and its error message. */
export const controlOf = (props: FieldProps) => ({
  id: props.id,
  'aria-label': labelOf(props),
  'aria-required': props.required || undefined,
  'aria-invalid': props.error !== null || undefined,
  'aria-describedby': props.error === null ? undefined : `${props.id}-error`,
})

/** Class of a control: in forms its border shows only on hover and focus, elsewhere always. */
export const boxClass = ({ view }: Pick<FieldProps, 'view'>, ...names: readonly (string | false)[]): string =>
  classNames(...names, view === 'form' && 'quiet')

export const placeholderOf = ({ node }: Pick<FieldProps, 'node'>): string => node.attrs['placeholder'] ?? ''
