import { useRef, useState } from 'preact/hooks'
import { tn } from '../../../core/i18n.ts'
import { Popover } from '../../../ui/popover.tsx'
import { dayName } from '../../plan/periods.ts'
import { DAY } from '../../plan/wall.ts'
import type { Calendar } from '../model/calendar.ts'
import { inOrder } from '../model/lanes.ts'
import { Event } from './event.tsx'

/** A button that opens all records of a day with more than fit into its cell. */
export function MoreButton({
  calendar,
  day,
  hidden,
}: {
  readonly calendar: Calendar
  readonly day: number
  /** How many do not fit. */
  readonly hidden: number
}) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const label = tn(hidden, '{n} more', '{n} more')
  const inside = calendar.placed.value.filter(({ span }) => span.start < day + DAY && span.end > day).toSorted(inOrder)
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class="btn ghost sm more"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={label}
        data-short={`+${hidden}`}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="wide">{label}</span>
      </button>
      {isOpen && (
        <Popover anchor={anchor} role="dialog" class="dayall" label={dayName(day)} onClose={() => setOpen(false)}>
          <h3>{dayName(day)}</h3>
          <ul>
            {inside.map(({ id, span }) => (
              <li key={id}>
                <Event calendar={calendar} id={id} span={span} hasEnd={false} />
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  )
}
