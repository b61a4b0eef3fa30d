import { useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { searchNames } from '../../store/queries.ts'
import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { labelOf } from '../value/control.ts'
import { recordHref } from '../value/hrefs.ts'
import { useNames } from '../value/names.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { formatReference, kindsOf, parseReference } from './reference-text.ts'

/** A reference to a record of any model: the model is selected first, then the record. */
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
  const { rpc, session } = services()
  const kinds = kindsOf(session.bootstrap.topMenus)
  return (
    <span class="pair">
      <Combobox
        id={props.id}
        label={t('{field}: kind', { field: labelOf(props) })}
        text={kinds.find((kind) => kind.model === shown)?.label ?? shown}
        class={quiet}
        placeholder={t('Kind')}
        required={props.required}
        isInvalid={props.error !== null}
        find={async (typed) =>
          kinds
            .filter(({ model: each, label }) => `${label} ${each}`.toLowerCase().includes(typed.toLowerCase()))
            .map(({ model: each, label }) => ({ value: each, label, note: each }))
        }
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
