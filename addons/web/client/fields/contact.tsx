import type { FieldProps } from '../sdk.ts'
import { CharInput, type CharInputProps } from './char.tsx'
import { ReadOnly } from './read-only.tsx'
import { textOf } from './values.ts'

/** Links only what is an address of its kind; anything else stays text, whatever it begins with. */
export const contactHref = {
  email: (text: string): string | null => (/^[^\s@:/?#]+@[^\s@:/?#]+$/.test(text) ? `mailto:${text}` : null),
  phone: (text: string): string | null =>
    /^[+\d][\d\s()./-]{2,}$/.test(text) ? `tel:${text.replaceAll(/[^+\d]/g, '')}` : null,
  url: (text: string): string | null => {
    if (/\s/.test(text)) return null
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
    const url = URL.canParse(address) ? new URL(address) : null
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : null
  },
}

const KINDS = {
  email: { type: 'email', autocomplete: 'off', icon: 'mail' },
  phone: { type: 'tel', autocomplete: 'off', icon: 'phone' },
  url: { type: 'url', autocomplete: 'off', icon: 'external-link' },
} as const satisfies Record<string, Pick<CharInputProps, 'type' | 'autocomplete'> & { readonly icon: string }>

type Kind = keyof typeof KINDS

function Contact({ kind, ...props }: FieldProps & { readonly kind: Kind }) {
  const { type, autocomplete } = KINDS[kind]
  if (!props.readonly) return <CharInput {...props} type={type} autocomplete={autocomplete} />
  const text = textOf(props.value)
  const href = contactHref[kind](text)
  return (
    <ReadOnly of={props}>
      {href === null ? (
        text
      ) : (
        <a class="link" href={href} {...(kind === 'url' && { target: '_blank', rel: 'noopener noreferrer' })}>
          {text}
        </a>
      )}
    </ReadOnly>
  )
}

export const EmailField = (props: FieldProps) => <Contact {...props} kind="email" />
export const PhoneField = (props: FieldProps) => <Contact {...props} kind="phone" />
export const UrlField = (props: FieldProps) => <Contact {...props} kind="url" />
