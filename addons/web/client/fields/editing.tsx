import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { deferred } from '../core/deferred.tsx'
import type { FieldProps } from '../core/registries.ts'

type EditorsChunk = typeof import('./edit/editors.ts')

export type EditorName = keyof EditorsChunk['EDITORS']

/** The controls. A form brings their chunk along; a list loads it later. */
export const editors = deferred<Pick<EditorsChunk, 'EDITORS'>>(() => import('./edit/editors.ts'))

/** Drawn in place of a widget whose chunk is still loading. */
export const PendingField = () => <span class="ro" aria-busy="true" />

/** A field with a read-only display, and a control for editing whose chunk is deferred: a list that is only read does not load it. */
export function editable(name: EditorName, Display: ComponentType<FieldProps>): ComponentType<FieldProps> {
  return function EditableField(props: FieldProps) {
    const Editor: ComponentType<FieldProps> | undefined = editors.peek()?.EDITORS[name]
    // A control that arrived after the field was drawn stays inside PendingEditor: drawing it elsewhere would lose the caret.
    const [isPending] = useState(Editor === undefined)
    if (props.readonly) return <Display {...props} />
    return Editor && !isPending ? <Editor {...props} /> : <PendingEditor props={props} name={name} Display={Display} />
  }
}

interface PendingEditorProps {
  readonly props: FieldProps
  readonly name: EditorName
  readonly Display: ComponentType<FieldProps>
}

/** The read-only display until the control is loaded; in a cell that was opened for typing, the control then takes the caret. */
function PendingEditor({ props, name, Display }: PendingEditorProps) {
  const Editor: ComponentType<FieldProps> | undefined = editors.value?.EDITORS[name]
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    editors.load().catch(() => undefined)
  }, [])
  useEffect(() => {
    if (Editor && props.isOpened) box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [Editor])
  return (
    <span ref={box} aria-busy={Editor === undefined || undefined}>
      {Editor ? <Editor {...props} /> : <Display {...props} readonly />}
    </span>
  )
}
