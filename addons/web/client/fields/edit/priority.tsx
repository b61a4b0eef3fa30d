import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Icon } from '../../ui/icon.tsx'
import { labelOf } from '../value/control.ts'
import { choiceLabel } from '../value/values.ts'

/**
 * A priority as stars; the first key means none. Clicking the last filled star removes it, and the arrow keys change
 * the value.
 */
export function StarsInput(props: FieldProps) {
  const { field, value, onChange } = props
  const { selection = [] } = field
  const at = Math.max(
    0,
    selection.findIndex(([key]) => key === value),
  )
  const stars = selection.slice(1)
  const choose = (index: number) => onChange(selection[Math.max(0, Math.min(index, selection.length - 1))]?.[0] ?? null)

  function press(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    choose(at + step)
  }

  return (
    <span
      class="stars"
      role="slider"
      id={props.id}
      tabIndex={0}
      aria-label={labelOf(props)}
      aria-valuemin={0}
      aria-valuemax={stars.length}
      aria-valuenow={at}
      aria-valuetext={choiceLabel(field, value) || t('Not set')}
      onKeyDown={press}
    >
      {stars.map(([key, label], index) => (
        // The group is the control for keyboard and screen readers; the stars only take clicks.
        <span
          key={key}
          class="star"
          data-tip={label}
          aria-hidden="true"
          onClick={() => choose(at === index + 1 ? index : index + 1)}
        >
          <Icon name="star" class={index < at ? 'on' : ''} />
        </span>
      ))}
    </span>
  )
}
