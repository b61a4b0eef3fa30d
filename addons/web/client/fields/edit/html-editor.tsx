import type { FieldProps } from '../../core/registries.ts'
import { controlOf, placeholderOf } from '../value/control.ts'
import { textOf } from '../value/values.ts'
import { type Format, RichText } from './rich-text.tsx'

const FORMATS: readonly Format[] = ['B', 'I', 'U', 'UL', 'OL', 'BLOCKQUOTE']

/** The editor of a field with formatted text. Its HTML is sanitised before it becomes the value, and again by the server. */
export const HtmlEditor = (props: FieldProps) => (
  <RichText
    value={textOf(props.value)}
    onChange={props.onChange}
    formats={FORMATS}
    placeholder={placeholderOf(props)}
    control={controlOf(props)}
    class={props.view === 'form' ? 'soft' : ''}
  />
)
