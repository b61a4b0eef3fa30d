import type { FieldProps } from '../../core/registries.ts'
import { boxClass, controlOf, placeholderOf } from '../value/control.ts'
import { textOf } from '../value/values.ts'

interface TextAreaProps extends FieldProps {
  /** Monospaced and without spell checking, for source code. */
  readonly isCode?: boolean
}

/** A multi-line text; the box grows with its content (`field-sizing`). */
export const TextArea = ({ isCode = false, ...props }: TextAreaProps) => (
  <textarea
    {...controlOf(props)}
    class={boxClass(props, 'textarea', isCode && 'code')}
    rows={isCode ? 6 : 2}
    spellcheck={!isCode}
    placeholder={placeholderOf(props)}
    {...(props.field.size !== undefined && { maxLength: props.field.size })}
    value={textOf(props.value)}
    onInput={({ currentTarget: { value } }) => props.onChange(value === '' ? null : value)}
  />
)

/** Source code, such as views and scripts. */
export const CodeArea = (props: FieldProps) => <TextArea {...props} isCode />
