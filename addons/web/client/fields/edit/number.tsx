import type { FieldProps } from '../../core/registries.ts'
import { numberOf } from '../value/values.ts'
import { NOTATIONS, type NumberNotation, parseWith } from './number-notation.ts'
import { ParsedInput } from './parsed-input.tsx'

/** An input for a number in a given notation, aligned to the end in cells and to the start in forms. */
function NumberInput({ notation, ...props }: FieldProps & { readonly notation: NumberNotation }) {
  const value = numberOf(props.value)
  const text = value === null ? '' : notation.format(value, props.field)
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

export const IntegerInput = (props: FieldProps) => <NumberInput {...props} notation={NOTATIONS.integer} />
export const FloatInput = (props: FieldProps) => <NumberInput {...props} notation={NOTATIONS.float} />
export const HoursInput = (props: FieldProps) => <NumberInput {...props} notation={NOTATIONS.hours} />
export const PercentInput = (props: FieldProps) => <NumberInput {...props} notation={NOTATIONS.percent} />
