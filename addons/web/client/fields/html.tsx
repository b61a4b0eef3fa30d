import { type FieldProps, SafeHtml } from '../sdk.ts'
import { lazyField } from './lazy-field.tsx'
import { ReadOnly } from './read-only.tsx'
import { textOf } from './values.ts'

const HtmlEditor = lazyField(async () => (await import('./html-editor.tsx')).HtmlEditor)

/** Text with marks. The editor comes when somebody may write. */
export const HtmlField = (props: FieldProps) =>
  props.readonly ? (
    <ReadOnly of={props}>
      <SafeHtml class="richtext" html={textOf(props.value)} />
    </ReadOnly>
  ) : (
    <HtmlEditor {...props} />
  )
