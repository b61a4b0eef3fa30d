import { type FieldProps, Icon, type WireField } from '../sdk.ts'
import { boxClass, controlOf, labelOf, placeholderOf } from './control.ts'
import { ReadOnly } from './read-only.tsx'
import { textOf } from './values.ts'

/** The label of a key; a key that is not offered any more shows as it is. */
export const choiceLabel = ({ selection = [] }: WireField, value: unknown): string =>
  selection.find(([key]) => key === value)?.[1] ?? textOf(value)

export function SelectionField(props: FieldProps) {
  const { field, value, required } = props
  if (props.readonly) return <ReadOnly of={props}>{choiceLabel(field, value)}</ReadOnly>
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

/** All choices at once. */
export function RadioField(props: FieldProps) {
  const { field, value, id } = props
  if (props.readonly) return <ReadOnly of={props}>{choiceLabel(field, value)}</ReadOnly>
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
            // The label of the field points at the first choice and would otherwise become part of its name.
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
