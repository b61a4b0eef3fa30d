import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FieldProps } from '../core/registries.ts'
import type { EDITORS } from './edit/editors.ts'

export type EditorName = keyof typeof EDITORS
type Editors = Readonly<Record<EditorName, ComponentType<FieldProps>>>

let editors: Editors | undefined

/** Called by the chunk of the controls when it is there. */
export function provideEditors(table: Editors): void {
  editors = table
}

/** Fetches the chunk of the controls; a form brings it along. */
export const loadEditors = async (): Promise<Editors> => (await import('./edit/editors.ts')).EDITORS

/** A control, if its chunk is there. */
export const editorOf = (name: EditorName): ComponentType<FieldProps> | undefined => editors?.[name]

/**
 * A field that is shown by its look, and edited by a control whose chunk comes when somebody edits. Reading, which every list
 * does, stays small.
 */
export function editable(name: EditorName, Look: ComponentType<FieldProps>): ComponentType<FieldProps> {
  return function EditableField(props: FieldProps) {
    const Editor = editors?.[name]
    // One that came late stays where it is: to be drawn anew would take the caret from whoever types.
    const [isLate] = useState(Editor === undefined)
    if (props.readonly) return <Look {...props} />
    return Editor && !isLate ? <Editor {...props} /> : <Late props={props} name={name} Look={Look} />
  }
}

interface LateProps {
  readonly props: FieldProps
  readonly name: EditorName
  readonly Look: ComponentType<FieldProps>
}

/** The look until the control is there; in a cell that was opened for it, it then takes the caret. */
function Late({ props, name, Look }: LateProps) {
  const [Editor, setEditor] = useState<ComponentType<FieldProps> | undefined>(() => editors?.[name])
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let isCurrent = true
    void loadEditors().then((table) => isCurrent && setEditor(() => table[name]))
    return () => {
      isCurrent = false
    }
  }, [name])
  useEffect(() => {
    if (Editor && props.isOpened) box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [Editor])
  return (
    <span class="late" ref={box} aria-busy={Editor === undefined || undefined}>
      {Editor ? <Editor {...props} /> : <Look {...props} readonly />}
    </span>
  )
}
