import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Button } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { boxClass, controlOf, placeholderOf } from '../value/control.ts'
import { contactHref } from '../value/hrefs.ts'
import { textOf } from '../value/values.ts'

export interface CharInputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'password'
  readonly autocomplete?: string
}

/** Common attributes of text inputs. Every keystroke updates the draft, so that Ctrl+S saves the text on screen. */
const typing = (props: FieldProps) => ({
  ...controlOf(props),
  placeholder: placeholderOf(props),
  ...(props.field.size !== undefined && { maxLength: props.field.size }),
  value: textOf(props.value),
})

export const CharInput = (props: CharInputProps) => (
  <input
    {...typing(props)}
    class={boxClass(props, 'input')}
    // The types of JSX elements accept only literal input types, although these all take the same attributes.
    type={(props.type ?? 'text') as 'text'}
    autocomplete={props.autocomplete ?? 'off'}
    onInput={({ currentTarget: { value } }) => props.onChange(value === '' ? null : value)}
  />
)

/** The title of a record: a single line of text that wraps instead of being cut off. */
export const TitleInput = (props: FieldProps) => (
  <textarea
    {...typing(props)}
    class={boxClass(props, 'textarea')}
    rows={1}
    autocomplete="off"
    onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    onInput={({ currentTarget }) => {
      // Pasted text may contain line breaks, which become spaces.
      const text = currentTarget.value.replaceAll(/\s*\n\s*/g, ' ')
      if (text !== currentTarget.value) currentTarget.value = text
      props.onChange(text === '' ? null : text)
    }}
  />
)

/** Input type, icon and link text of each kind of address. */
const CONTACTS = {
  email: { type: 'email', icon: 'mail', action: (text: string) => t('Write to {name}', { name: text }) },
  phone: { type: 'tel', icon: 'phone', action: (text: string) => t('Call {name}', { name: text }) },
  url: { type: 'url', icon: 'external-link', action: (text: string) => t('Open {name}', { name: text }) },
} as const satisfies Record<string, { type: CharInputProps['type']; icon: IconName; action: (text: string) => string }>

/** An input for an address, with a link behind it that opens the mail client, phone or page. */
function ContactInput({ kind, ...props }: FieldProps & { readonly kind: keyof typeof CONTACTS }) {
  const { type, icon, action } = CONTACTS[kind]
  const text = textOf(props.value)
  const href = contactHref[kind](text)
  if (props.view !== 'form') return <CharInput {...props} type={type} />
  return (
    <span class="combo quiet">
      <input
        {...typing(props)}
        type={type as 'text'}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => props.onChange(value === '' ? null : value)}
      />
      {href !== null && (
        <Button
          label={action(text)}
          icon={icon}
          iconOnly
          kind="ghost"
          class="open"
          href={href}
          isOutside={kind === 'url'}
        />
      )}
    </span>
  )
}

export const PasswordInput = (props: FieldProps) => <CharInput {...props} type="password" autocomplete="new-password" />
export const EmailInput = (props: FieldProps) => <ContactInput {...props} kind="email" />
export const PhoneInput = (props: FieldProps) => <ContactInput {...props} kind="phone" />
export const UrlInput = (props: FieldProps) => <ContactInput {...props} kind="url" />
