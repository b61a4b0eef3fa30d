import type { FieldProps } from '../sdk.ts'
import { labelOf } from './control.ts'
import { Many2oneField } from './many2one.tsx'
import { ReadOnly } from './read-only.tsx'
import { choiceLabel, SelectionField } from './selection.tsx'
import { State } from './state.tsx'
import { linkOf, textOf } from './values.ts'

/** A short word about the record: a state with its shape, else a plate. Its value is edited in the cells of lines only. */
export function BadgeField(props: FieldProps) {
  const { field, value, view } = props
  if (!props.readonly && view === 'list') {
    if (field.type === 'selection') return <SelectionField {...props} />
    if (field.type === 'many2one') return <Many2oneField {...props} />
  }
  return <ReadOnly of={props}>{drawBadge(props, value)}</ReadOnly>
}

function drawBadge(props: FieldProps, value: unknown) {
  const { field } = props
  if (field.type === 'boolean') return value === true && <span class="badge warning">{labelOf(props)}</span>
  const label = field.type === 'many2one' ? (linkOf(value)?.name ?? '') : choiceLabel(field, value)
  if (label === '') return null
  return field.type === 'selection' ? <State value={textOf(value)} label={label} /> : <span class="badge">{label}</span>
}
