import { classNames, type FieldProps, searchNames, searchRead, services, t, useState } from '../../sdk.ts'
import { Combobox } from '../../sdk-edit.ts'
import { labelOf } from '../control.ts'
import { useNames } from '../names.ts'
import { ReadOnly } from '../read-only.tsx'
import { recordHref } from '../record-href.ts'
import { formatReference, parseReference } from './reference-text.ts'

/** A record of any model: first the model, then the record. */
export function ReferenceField(props: FieldProps) {
  const reference = parseReference(props.value)
  const [model, setModel] = useState(reference?.model ?? '')
  const shown = reference?.model ?? model
  const [named] = useNames(shown, reference ? [reference.id] : [])
  const name = reference === null ? '' : (named?.name ?? `#${reference.id}`)
  if (props.readonly) {
    return (
      <ReadOnly of={props}>
        {reference && (
          <a class="link" href={recordHref(reference.model, reference.id)}>
            {name}
          </a>
        )}
      </ReadOnly>
    )
  }
  const quiet = classNames(props.view === 'form' && 'quiet')
  const { rpc } = services()
  return (
    <span class="pair">
      <Combobox
        id={props.id}
        label={t('{field}: kind', { field: labelOf(props) })}
        text={shown}
        class={quiet}
        placeholder={t('Kind')}
        required={props.required}
        isInvalid={props.error !== null}
        find={async (typed, signal) => {
          const domain = typed === '' ? [] : ['|', ['name', 'ilike', typed], ['model', 'ilike', typed]]
          const rows = await searchRead(rpc, 'sys.model', domain, ['name', 'model'], { limit: 8, signal })
          return rows.map((row) => ({
            value: String(row['model']),
            label: String(row['name']),
            note: String(row['model']),
          }))
        }}
        {...(props.onInvalid && { onProblem: props.onInvalid })}
        onChoose={(chosen) => {
          setModel(chosen)
          if (chosen !== reference?.model) props.onChange(null)
        }}
        onClear={() => {
          setModel('')
          props.onChange(null)
        }}
      />
      <Combobox
        id={`${props.id}-record`}
        label={labelOf(props)}
        text={name}
        class={quiet}
        disabled={shown === ''}
        isInvalid={props.error !== null}
        find={async (typed, signal) => {
          const found = await searchNames(rpc, shown, typed, [], { signal })
          return found.map(([id, label]) => ({ value: id, label }))
        }}
        {...(props.onInvalid && { onProblem: props.onInvalid })}
        onChoose={(id) => props.onChange(formatReference({ model: shown, id }))}
        onClear={() => props.onChange(null)}
      />
    </span>
  )
}
