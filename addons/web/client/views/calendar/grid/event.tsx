import { t } from '../../../core/i18n.ts'
import { valuesOf } from '../../../store/records.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import { titleOf } from '../../plan/arch.ts'
import { hueOfValue } from '../../plan/hues.ts'
import { formatClock } from '../../plan/periods.ts'
import type { Span } from '../../plan/span.ts'
import { spanText } from '../../plan/span-text.ts'
import { type Calendar, NEW_ID } from '../model/calendar.ts'
import { isBar } from '../model/lanes.ts'

export interface EventProps {
  readonly calendar: Calendar
  readonly id: number
  readonly span: Span
  readonly class?: string
  readonly style?: Readonly<Record<string, string | number>>
  /** Whether its end can be dragged here; it may also end on a later row. */
  readonly hasEnd?: boolean
}

/** A record in the grid, a link to its form. */
export function Event({ calendar, id, span, style = {}, hasEnd = true, ...props }: EventProps) {
  const { arch } = calendar
  const entry = calendar.set.entryOf(id)
  const values = valuesOf(entry).value
  const isRecent = useRecentChanges(entry).size > 0
  const isLifted = calendar.lifted.value?.id === id
  const look = classNames('cev', isBar(span) && 'all', props.class)
  const time = !isBar(span) && <time>{formatClock(span.start)}</time>
  if (id === NEW_ID) {
    return (
      <span class={classNames(look, 'ghost')} data-event={id} style={style}>
        {time}
        <span>{t('New')}</span>
      </span>
    )
  }
  const hue = hueOfValue(arch.color, arch.color && values[arch.color.name])
  const title = titleOf(arch, id, values)
  return (
    <a
      class={classNames(look, isLifted && 'ghost', isRecent && 'live', arch.mayMove && 'movable')}
      href={calendar.hrefOf(id)}
      draggable={false}
      data-event={id}
      data-focus={`event-${id}`}
      data-tip={`${title}\n${spanText(span)}`}
      {...(hue !== null && { 'data-hue': hue })}
      {...(arch.mayMove && { 'aria-keyshortcuts': 'M' })}
      style={style}
    >
      {time}
      <span>{title}</span>
      {isBar(span) && <span class="vh">{`, ${spanText(span)}`}</span>}
      {arch.mayResize && hasEnd && <i class="grip" data-resize aria-hidden="true" />}
    </a>
  )
}
