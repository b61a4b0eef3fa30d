import type { FieldProps } from '../sdk.ts'
import { NOTATIONS, type NumberNotation, parseWith } from './number-text.ts'
import { ParsedInput } from './parsed-input.tsx'
import { ReadOnly } from './read-only.tsx'
import { numberOf } from './values.ts'

/** A number in its notation. Figures are set at the end in cells, at the start in forms. */
function NumberField({ notation, ...props }: FieldProps & { readonly notation: NumberNotation }) {
  const value = numberOf(props.value)
  const text = value === null ? '' : notation.format(value, props.field)
  if (props.readonly) {
    return (
      <ReadOnly of={props} class="tn">
        {text}
      </ReadOnly>
    )
  }
  return (
    <ParsedInput
      of={props}
      text={text}
      parse={(typed) => parseWith(notation, typed, props.field)}
      inputMode={notation === NOTATIONS.integer ? 'numeric' : 'decimal'}
      class={props.view === 'form' ? 'tn' : 'num'}
    />
  )
}

export const IntegerField = (props: FieldProps) => <NumberField {...props} notation={NOTATIONS.integer} />
export const FloatField = (props: FieldProps) => <NumberField {...props} notation={NOTATIONS.float} />
export const HoursField = (props: FieldProps) => <NumberField {...props} notation={NOTATIONS.hours} />
export const PercentField = (props: FieldProps) => <NumberField {...props} notation={NOTATIONS.percent} />
