import type { FieldProps } from '../../core/registries.ts'
import { useTimeZones } from '../value/time-zones.ts'
import { textOf } from '../value/values.ts'
import { SelectInput } from './selection.tsx'

/** Selects a time zone by its name, shown with its current offset. */
export const TimeZoneInput = (props: FieldProps) => (
  <SelectInput {...props} field={{ ...props.field, selection: useTimeZones(textOf(props.value)) }} />
)
