import type { FieldProps } from '../sdk.ts'
import { CharInput } from './char.tsx'
import { ReadOnly } from './read-only.tsx'

/** Written, never read back. */
export const PasswordField = (props: FieldProps) =>
  props.readonly ? (
    <ReadOnly of={props}>••••••••</ReadOnly>
  ) : (
    <CharInput {...props} type="password" autocomplete="new-password" />
  )
