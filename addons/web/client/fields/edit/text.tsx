import type { FieldProps } from '../../core/registries.ts'
import { boxClass, controlOf, placeholderOf } from '../value/control.ts'
import { textOf } from '../value/values.ts'

interface TextAreaProps extends FieldProps {
  /** Source of something: a fixed pitch, no spelling. */
  readonly isCode?: boolean
}

/** Several lines; the box grows with them (`field-sizing`). */
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

/** Source text: views, scripts. */
export const CodeArea = (props: FieldProps) => <TextArea {...props} isCode />
