import type { FieldProps } from '../../core/registries.ts'
import { BadgeDisplay } from '../display/choice.tsx'
import { LinkInput } from './many2one.tsx'
import { SelectInput } from './selection.tsx'

/** A badge can be edited in list cells only; on a form it is read-only. */
export function BadgeInput(props: FieldProps) {
  if (props.view === 'list' && props.field.type === 'selection') return <SelectInput {...props} />
  if (props.view === 'list' && props.field.type === 'many2one') return <LinkInput {...props} />
  return <BadgeDisplay {...props} />
}
