import { dayOf } from '../../core/format.ts'
import type { FieldProps } from '../../core/registries.ts'
import { formatDay, formatMoment, todayOf } from '../value/day-text.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { textOf } from '../value/values.ts'

/** A day; of a moment the day it has where the user is. */
export function DateLook(props: FieldProps) {
  const text = textOf(props.value)
  const day = props.field.type === 'datetime' && text !== '' ? dayOf(text) : text
  return <ReadOnly of={props}>{day !== '' && <time dateTime={day}>{formatDay(day, todayOf())}</time>}</ReadOnly>
}

export function DatetimeLook(props: FieldProps) {
  const instant = textOf(props.value)
  return <ReadOnly of={props}>{instant !== '' && <time dateTime={instant}>{formatMoment(instant)}</time>}</ReadOnly>
}
