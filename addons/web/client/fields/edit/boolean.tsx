import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Icon } from '../../ui/icon.tsx'
import { controlOf } from '../value/control.ts'

function Switchable({ isSwitch, ...props }: FieldProps & { readonly isSwitch: boolean }) {
  const isOn = props.value === true
  // An unchecked box is a valid value, so it is never marked as required.
  const { 'aria-required': _, ...control } = controlOf(props)
  return (
    <span class="opt">
      <input
        {...control}
        type="checkbox"
        class={isSwitch ? 'switch' : 'check'}
        {...(isSwitch && { role: 'switch' })}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => props.onChange(checked)}
      />
    </span>
  )
}

export const CheckInput = (props: FieldProps) => <Switchable {...props} isSwitch={false} />
export const SwitchInput = (props: FieldProps) => <Switchable {...props} isSwitch />

/** A star that toggles a boolean. */
export function FavouriteInput(props: FieldProps) {
  const isOn = props.value === true
  return (
    <span class="stars">
      <button
        type="button"
        id={props.id}
        class="star"
        aria-pressed={isOn}
        aria-label={t('Favourite')}
        data-tip={isOn ? t('Remove from favourites') : t('Add to favourites')}
        onClick={() => props.onChange(!isOn)}
      >
        <Icon name="star" class={isOn ? 'on' : ''} />
      </button>
    </span>
  )
}
