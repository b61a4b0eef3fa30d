import { type FieldProps, fields } from '../sdk.ts'
import { labelOf } from './control.ts'
import { textOf } from './values.ts'

/** The figure of a smart button over its label. */
export function StatInfo(props: FieldProps) {
  const { field, value, record } = props
  const text = fields.get(field.type)?.format?.(value, field, record) ?? textOf(value)
  return (
    <span>
      <b class="tn">{text}</b>
      {labelOf(props)}
    </span>
  )
}
