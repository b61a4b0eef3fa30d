import { dayOf, today } from '../../core/format.ts'
import type { FieldProps } from '../../core/registries.ts'
import { formatDay, formatMoment } from '../value/day-text.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { textOf } from '../value/values.ts'

/** A date; for a datetime, its day in the user's time zone. */
export function DateDisplay(props: FieldProps) {
  const text = textOf(props.value)
  const day = props.field.type === 'datetime' && text !== '' ? dayOf(text) : text
  return (
    <ReadOnly of={props}>
      {day !== '' && <time dateTime={day}>{formatDay(day, today(), props.view === 'form')}</time>}
    </ReadOnly>
  )
}

export function DatetimeDisplay(props: FieldProps) {
  const instant = textOf(props.value)
  return (
    <ReadOnly of={props}>
      {instant !== '' && <time dateTime={instant}>{formatMoment(instant, props.view === 'form')}</time>}
    </ReadOnly>
  )
}
