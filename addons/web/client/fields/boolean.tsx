import { type FieldProps, Icon, t } from '../sdk.ts'
import { controlOf } from './control.ts'
import { ReadOnly } from './read-only.tsx'

/** A tick, or a dash, with the word for those who do not see it. */
const Tick = ({ isOn }: { readonly isOn: boolean }) => (
  <span class={isOn ? 'yes' : 'no'}>
    <Icon name={isOn ? 'check' : 'minus'} />
    <span class="vh">{isOn ? t('Yes') : t('No')}</span>
  </span>
)

function Switchable({ isSwitch, ...props }: FieldProps & { readonly isSwitch: boolean }) {
  const isOn = props.value === true
  if (props.readonly) {
    return (
      <ReadOnly of={props}>
        <Tick isOn={isOn} />
      </ReadOnly>
    )
  }
  // A box that is off is an answer, so it is never missing.
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

export const BooleanField = (props: FieldProps) => <Switchable {...props} isSwitch={false} />
export const ToggleField = (props: FieldProps) => <Switchable {...props} isSwitch />

/** A star that is on or off. */
export function FavouriteField(props: FieldProps) {
  const isOn = props.value === true
  const star = <Icon name="star" class={isOn ? 'on' : ''} />
  if (props.readonly) {
    return isOn ? (
      <span class="stars" role="img" aria-label={t('Favourite')}>
        {star}
      </span>
    ) : null
  }
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
        {star}
      </button>
    </span>
  )
}
