import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { holds } from '../../../core/expression.ts'
import { findField } from '../../../core/registries.ts'
import type { FieldColumn } from '../column/arch.ts'
import { scopeOf } from '../column/scope.ts'
import type { ListView } from '../model/list-view.ts'
import type { RowEdit } from './row-edit.ts'

export interface EditorProps {
  readonly view: ListView
  readonly row: RowEdit
  readonly column: FieldColumn
}

/** The control of a cell that is being edited. */
export function Editor({ view, row, column }: EditorProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const { field, node, label, widget } = column
  const error = row.errors.value[field.name] ?? null
  const { Widget } = findField('list', field.type, widget)
  const values = Object.fromEntries(view.model.arch.fields.map(({ name }) => [name, row.draft.get(name)]))

  useLayoutEffect(() => {
    const control =
      box.current?.querySelector<HTMLElement>('input, select, textarea, [contenteditable]') ??
      box.current?.querySelector<HTMLElement>('button, [tabindex="0"]')
    control?.focus({ preventScroll: true })
    if (control instanceof HTMLInputElement && control.type === 'text') control.select()
    control?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])

  return (
    <div class="editor" ref={box}>
      <label class="vh" for={id}>
        {label}
      </label>
      <Widget
        field={field}
        node={node}
        record={row.record}
        value={row.draft.get(field.name)}
        id={id}
        readonly={false}
        required={field.required === true || holds(node.attrs['required'], scopeOf(values))}
        error={error}
        view="list"
        isOpened
        onChange={(value) => view.editing.set(row, field.name, value)}
        onInvalid={(problem) => view.editing.refuse(row, field.name, problem)}
        invalidText={row.draft.invalidTexts.value.find((each) => each.name === field.name)?.value}
      />
      {error !== null && (
        <span class="err" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
