import type { FieldProps } from '../../core/registries.ts'
import { Icon } from '../../ui/icon.tsx'
import { boxClass, controlOf, labelOf, placeholderOf } from '../value/control.ts'
import { textOf } from '../value/values.ts'

export function SelectInput(props: FieldProps) {
  const { field, value, required } = props
  const { selection = [] } = field
  const isKnown = selection.some(([key]) => key === value)
  return (
    <span class="pick">
      <select
        {...controlOf(props)}
        class={boxClass(props, 'select')}
        value={textOf(value)}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value === '' ? null : currentTarget.value)}
      >
        {(!required || !isKnown) && <option value="">{placeholderOf(props)}</option>}
        {!isKnown && textOf(value) !== '' && <option value={textOf(value)}>{textOf(value)}</option>}
        {selection.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size="s" />
    </span>
  )
}

/** A selection as radio buttons. */
export function RadioInput(props: FieldProps) {
  const { field, value, id } = props
  const { id: _, ...control } = controlOf(props)
  return (
    <div class="choices" role="radiogroup" {...control}>
      {(field.selection ?? []).map(([key, label], index) => (
        <label key={key} class="opt">
          <input
            type="radio"
            class="radio"
            name={id}
            {...(index === 0 && { id })}
            // Without this, the field label, which points to the first option, would be part of that option's name.
            aria-label={label}
            checked={key === value}
            onChange={() => props.onChange(key)}
          />
          <span>{label}</span>
        </label>
      ))}
      {field.selection === undefined && <span class="t3">{labelOf(props)}</span>}
    </div>
  )
}
