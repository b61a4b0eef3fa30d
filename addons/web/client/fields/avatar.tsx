import type { FieldProps } from '../sdk.ts'
import { Many2oneField } from './many2one.tsx'
import { AvatarsField } from './tags.tsx'

/** One person with name, several as faces. */
export const AvatarField = (props: FieldProps) =>
  props.field.type === 'many2one' ? <Many2oneField {...props} /> : <AvatarsField {...props} />
