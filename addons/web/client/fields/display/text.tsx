import type { FieldProps } from '../../core/registries.ts'
import { SafeHtml } from '../../ui/safe-html.tsx'
import { contactHref } from '../value/contact-href.ts'
import { plainText } from '../value/format-value.ts'
import { languageName } from '../value/language-name.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { textOf } from '../value/values.ts'

export const TextLook = (props: FieldProps) => <ReadOnly of={props}>{textOf(props.value)}</ReadOnly>

/** A language by its name. */
export const LanguageLook = (props: FieldProps) => <ReadOnly of={props}>{languageName(textOf(props.value))}</ReadOnly>

/** Several lines. */
export const LinesLook = (props: FieldProps) => (
  <ReadOnly of={props} {...(props.view === 'form' && { class: 'lines-kept' })}>
    {textOf(props.value)}
  </ReadOnly>
)

/** Source text: views, scripts. */
export const CodeLook = (props: FieldProps) => (
  <ReadOnly of={props} class="code lines-kept">
    {textOf(props.value)}
  </ReadOnly>
)

export const HtmlLook = (props: FieldProps) => (
  <ReadOnly of={props}>
    {props.view === 'form' ? <SafeHtml class="richtext" html={textOf(props.value)} /> : plainText(textOf(props.value))}
  </ReadOnly>
)

export const SecretLook = (props: FieldProps) => <ReadOnly of={props}>••••••••</ReadOnly>

function Contact({ kind, ...props }: FieldProps & { readonly kind: keyof typeof contactHref }) {
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

export const EmailLook = (props: FieldProps) => <Contact {...props} kind="email" />
export const PhoneLook = (props: FieldProps) => <Contact {...props} kind="phone" />
export const UrlLook = (props: FieldProps) => <Contact {...props} kind="url" />
