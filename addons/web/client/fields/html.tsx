import type { FieldProps } from '../core/registries.ts'
import { lazyField } from './lazy-field.tsx'
import { HtmlLook } from './looks/text.tsx'

const HtmlEditor = lazyField(async () => (await import('./edit/html-editor.tsx')).HtmlEditor)

/** Text with marks. The editor comes when somebody may write. */
export const HtmlField = (props: FieldProps) => (props.readonly ? <HtmlLook {...props} /> : <HtmlEditor {...props} />)
