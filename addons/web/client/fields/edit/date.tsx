import { useRef } from 'preact/hooks'
import { formatDate, formatDatetime, today } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Button } from '../../ui/button.tsx'
import { labelOf } from '../value/control.ts'
import { formatMoment } from '../value/day-text.ts'
import { textOf } from '../value/values.ts'
import { fromLocalInput, isNow, parseDay, parseMoment, toLocalInput } from './date-text.ts'
import { ParsedInput } from './parsed-input.tsx'

interface PickerProps {
  readonly of: FieldProps
  readonly type: 'date' | 'datetime-local'
  readonly value: string
  readonly onPick: (value: string) => void
}

/** A button that opens the browser's date picker; the text input next to it takes typed dates. */
function Picker({ of: props, type, value, onPick }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <span class="datepick">
      <input
        ref={input}
        type={type}
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      />
      <Button
        label={t('Choose {field}', { field: labelOf(props) })}
        icon="calendar"
        iconOnly
        kind="ghost"
        tabIndex={-1}
        onClick={() => input.current?.showPicker()}
      />
    </span>
  )
}

const noDate = () => t('This is not a date.')

export function DateInput(props: FieldProps) {
  const day = textOf(props.value)
  if (props.field.type === 'datetime') return <DatetimeInput {...props} />
  return (
    <ParsedInput
      of={props}
      text={day === '' ? '' : formatDate(day, 'medium')}
      editText={day === '' ? '' : formatDate(day)}
      parse={(text) => {
        const value = text.trim() === '' ? null : parseDay(text, today())
        return value === null && text.trim() !== '' ? { problem: noDate() } : { value }
      }}
      after={
        <Picker of={props} type="date" value={day} onPick={(value) => props.onChange(value === '' ? null : value)} />
      }
    />
  )
}

export function DatetimeInput(props: FieldProps) {
  const instant = textOf(props.value)
  const isSet = instant !== ''
  return (
    <ParsedInput
      of={props}
      text={isSet ? formatMoment(instant, true) : ''}
      editText={isSet ? formatDatetime(instant) : ''}
      parse={(text) => {
        if (isNow(text)) return { value: new Date().toISOString() }
        const value = text.trim() === '' ? null : parseMoment(text, today(), isSet ? instant : null)
        return value === null && text.trim() !== '' ? { problem: t('Write a date and a time.') } : { value }
      }}
      after={
        <Picker
          of={props}
          type="datetime-local"
          value={isSet ? toLocalInput(instant) : ''}
          onPick={(value) => props.onChange(value === '' ? null : fromLocalInput(value))}
        />
      }
    />
  )
}
