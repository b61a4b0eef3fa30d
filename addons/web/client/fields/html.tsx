import { deferred, deferredComponent } from '../core/deferred.tsx'
import type { FieldProps } from '../core/registries.ts'
import { HtmlDisplay } from './display/text.tsx'
import { PendingField } from './editing.tsx'

const HtmlEditor = deferredComponent(
  deferred(() => import('./edit/html-editor.tsx')),
  ({ HtmlEditor }) => HtmlEditor,
  PendingField,
)

/** Formatted text. The editor is loaded only if the user may write. */
export const HtmlField = (props: FieldProps) =>
  props.readonly ? <HtmlDisplay {...props} /> : <HtmlEditor {...props} />
