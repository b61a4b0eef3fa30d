import type { FieldProps } from '../../sdk.ts'
import { boxClass, controlOf, placeholderOf } from '../control.ts'
import { textOf } from '../values.ts'

export interface CharInputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'password'
  readonly autocomplete?: string
}

/** One line of text; every keystroke is in the draft, so that Ctrl+S saves what one sees. */
export const CharInput = (props: CharInputProps) => (
  <input
    {...controlOf(props)}
    class={boxClass(props, 'input')}
    // The types of elements want each kind on its own; all of these take the same attributes.
    type={(props.type ?? 'text') as 'text'}
    autocomplete={props.autocomplete ?? 'off'}
    placeholder={placeholderOf(props)}
    {...(props.field.size !== undefined && { maxLength: props.field.size })}
    value={textOf(props.value)}
    onInput={({ currentTarget: { value } }) => props.onChange(value === '' ? null : value)}
  />
)

export const PasswordInput = (props: FieldProps) => <CharInput {...props} type="password" autocomplete="new-password" />
export const EmailInput = (props: FieldProps) => <CharInput {...props} type="email" />
export const PhoneInput = (props: FieldProps) => <CharInput {...props} type="tel" />
export const UrlInput = (props: FieldProps) => <CharInput {...props} type="url" />
