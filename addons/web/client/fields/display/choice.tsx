import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Icon } from '../../ui/icon.tsx'
import { labelOf } from '../value/control.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { State } from '../value/state.tsx'
import { choiceLabel, linkOf, textOf } from '../value/values.ts'

export const ChoiceDisplay = (props: FieldProps) => (
  <ReadOnly of={props}>{choiceLabel(props.field, props.value)}</ReadOnly>
)

/** A selection value as a badge, with an icon if it is a well-known state. */
export const BadgeDisplay = (props: FieldProps) => <ReadOnly of={props}>{drawBadge(props)}</ReadOnly>

function drawBadge(props: FieldProps) {
  const { field, value } = props
  if (field.type === 'boolean') return value === true && <span class="badge warning">{labelOf(props)}</span>
  const label = field.type === 'many2one' ? (linkOf(value)?.name ?? '') : choiceLabel(field, value)
  if (label === '') return null
  return field.type === 'selection' ? <State value={textOf(value)} label={label} /> : <span class="badge">{label}</span>
}

/** A tick or a dash, with a text for screen readers. */
export function TickDisplay(props: FieldProps) {
  const isOn = props.value === true
  return (
    <ReadOnly of={props}>
      <span class={isOn ? 'yes' : 'no'}>
        <Icon name={isOn ? 'check' : 'minus'} />
        <span class="vh">{isOn ? t('Yes') : t('No')}</span>
      </span>
    </ReadOnly>
  )
}

/** A star if set, otherwise nothing. */
export const FavouriteDisplay = ({ value }: FieldProps) =>
  value === true ? (
    <span class="stars" role="img" aria-label={t('Favourite')}>
      <Icon name="star" class="on" />
    </span>
  ) : null

/** Stars for a priority; the first key means none. */
export function StarsDisplay(props: FieldProps) {
  const { field, value } = props
  const { selection = [] } = field
  const at = selection.findIndex(([key]) => key === value)
  return (
    <span class="stars" role="img" aria-label={`${labelOf(props)}: ${choiceLabel(field, value) || t('Not set')}`}>
      {selection.slice(1).map(([key], index) => (
        <Icon key={key} name="star" class={index < at ? 'on' : ''} />
      ))}
    </span>
  )
}

/** The drag handle of a row; the list implements the dragging. */
export const HandleDisplay = () => (
  <span class="handle" aria-hidden="true">
    <Icon name="grip-vertical" />
  </span>
)
