import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { controlOf } from '../value/control.ts'
import { numberOf } from '../value/values.ts'

const HUES = [0, 1, 2, 3, 4, 5, 6, 7] as const

/** A colour, stored as an index into the palette. */
export function ColorInput(props: FieldProps) {
  const value = numberOf(props.value)
  const { id, ...control } = controlOf(props)
  return (
    <div class="swatches" role="radiogroup" {...control}>
      {HUES.map((hue) => (
        <input
          key={hue}
          type="radio"
          class="swatch"
          name={id}
          data-hue={hue}
          {...(hue === 0 && { id })}
          aria-label={t('Colour {n}', { n: hue + 1 })}
          checked={value === hue}
          onChange={() => props.onChange(hue)}
        />
      ))}
    </div>
  )
}
