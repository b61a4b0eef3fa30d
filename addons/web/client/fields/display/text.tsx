import type { FieldProps } from '../../core/registries.ts'
import { SafeHtml } from '../../ui/safe-html.tsx'
import { plainText } from '../value/format-value.ts'
import { contactHref } from '../value/hrefs.ts'
import { languageName } from '../value/language-name.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { textOf } from '../value/values.ts'

export const TextDisplay = (props: FieldProps) => <ReadOnly of={props}>{textOf(props.value)}</ReadOnly>

/** A language by its name. */
export const LanguageDisplay = (props: FieldProps) => (
  <ReadOnly of={props}>{languageName(textOf(props.value))}</ReadOnly>
)

/** Several lines. */
export const LinesDisplay = (props: FieldProps) => (
  <ReadOnly of={props} {...(props.view === 'form' && { class: 'lines-kept' })}>
    {textOf(props.value)}
  </ReadOnly>
)

/** Source text: views, scripts. */
export const CodeDisplay = (props: FieldProps) => (
  <ReadOnly of={props} class="code lines-kept">
    {textOf(props.value)}
  </ReadOnly>
)

export const HtmlDisplay = (props: FieldProps) => (
  <ReadOnly of={props}>
    {props.view === 'form' ? <SafeHtml class="richtext" html={textOf(props.value)} /> : plainText(textOf(props.value))}
  </ReadOnly>
)

export const SecretDisplay = (props: FieldProps) => <ReadOnly of={props}>••••••••</ReadOnly>

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

export const EmailDisplay = (props: FieldProps) => <Contact {...props} kind="email" />
export const PhoneDisplay = (props: FieldProps) => <Contact {...props} kind="phone" />
export const UrlDisplay = (props: FieldProps) => <Contact {...props} kind="url" />
