import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { t, tn } from '../../../core/i18n.ts'
import { whilePrinting } from '../../../core/theme.ts'
import { useNames } from '../../../fields/value/names.ts'
import { idsOf } from '../../../fields/value/values.ts'
import { valuesOf } from '../../../store/records.ts'
import { classNames } from '../../../ui/class-names.ts'
import { isWeekend } from '../../plan/periods.ts'
import { DAY, floorDay, MINUTE, wallNow } from '../../plan/wall.ts'
import type { Gantt } from '../model/gantt.ts'
import { arrowPath } from '../model/links.ts'
import { headsOf } from '../model/scale.ts'
import { GroupLine, RecordLine, ROW_HEIGHT } from './rows.tsx'

/** Rows drawn above and below the window, so that scrolling shows no gaps. */
const SPARE = 8

interface ChartProps {
  readonly gantt: Gantt
  readonly box: RefObject<HTMLDivElement | null>
}

/** The rows in the window with their bars, below the scale. */
export function Chart({ gantt, box }: ChartProps) {
  const rows = gantt.rows.value
  const view = useWindow(box)
  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - SPARE)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_HEIGHT) + SPARE)
  const drawn = rows.slice(first, last)
  const current = drawn.some(({ key }) => key === gantt.current.value) ? gantt.current.value : drawn[0]?.key
  useGroupNames(gantt)
  useOpenAtToday(box, gantt.range.value.from)
  return (
    <div
      class="gin"
      role="grid"
      aria-label={gantt.workspace.value.title}
      aria-rowcount={rows.length + 1}
      style={{ '--rows': rows.length }}
    >
      <Head gantt={gantt} />
      <div class="gbody" role="rowgroup">
        {drawn.map((row, at) => {
          const props = { gantt, index: first + at, width: view.width, isCurrent: row.key === current }
          return row.kind === 'group' ? (
            <GroupLine key={row.key} row={row} {...props} />
          ) : (
            <RecordLine key={row.key} row={row} {...props} />
          )
        })}
      </div>
      <Over gantt={gantt} first={first} last={last} width={view.width} />
    </div>
  )
}

function Head({ gantt }: { readonly gantt: Gantt }) {
  const { heads, columns } = headsOf(gantt.scale.value, gantt.range.value)
  const now = wallNow()
  const broken = gantt.links.value.filter(({ isBroken }) => isBroken).length
  const warning = tn(
    broken,
    '{n} record begins before one it waits for ends',
    '{n} records begin before one they wait for ends',
  )
  const spread = (parts: readonly { readonly from: number; readonly to: number }[]) => ({
    gridTemplateColumns: parts.map(({ from, to }) => `minmax(0, ${(to - from) / DAY}fr)`).join(' '),
  })
  return (
    <div class="ghead" role="row">
      <div class="gl" role="columnheader">
        {gantt.arch.shown[0]?.field.label ?? t('Record')}
      </div>
      <div class="gt" role="columnheader">
        <span class="vh">{broken === 0 ? t('Timeline') : `${t('Timeline')}, ${warning}`}</span>
        <div class="wks" aria-hidden="true" style={spread(heads)}>
          {heads.map(({ from, label, more }) => (
            <div key={from} class="wk">
              <b>{label}</b>
              {more !== undefined && <span class="t3">{more}</span>}
            </div>
          ))}
        </div>
        <div class="dds" aria-hidden="true" style={spread(columns)}>
          {columns.map(({ from, to, label }) => (
            <span key={from} class={classNames(from <= now && now < to && 'now')}>
              {label}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Over the rows: weekends, the line of today, and the arrows between bars. */
function Over({
  gantt,
  first,
  last,
  width,
}: {
  readonly gantt: Gantt
  readonly first: number
  readonly last: number
  readonly width: number
}) {
  const { from, to } = gantt.range.value
  const now = useMinute()
  const days = to - from <= 45 * DAY ? Math.round((to - from) / DAY) : 0
  const links = gantt.links.value.filter(
    ({ fromRow, toRow }) => Math.max(fromRow, toRow) >= first && Math.min(fromRow, toRow) < last,
  )
  const middle = (row: number) => row * ROW_HEIGHT + ROW_HEIGHT / 2
  return (
    <div class="gover">
      {Array.from({ length: days }, (_, at) => floorDay(from) + at * DAY)
        .filter(isWeekend)
        .map((day) => (
          <span key={day} class="we" style={{ '--at': gantt.partOf(day), '--long': DAY / (to - from) }} />
        ))}
      {from <= now && now < to && <span class="nowline" style={{ '--at': gantt.partOf(now) }} />}
      <svg aria-hidden="true">
        {links.map((link) => (
          <path
            key={`${link.from.id}-${link.to.id}`}
            class={classNames(link.isBroken && 'broken')}
            d={arrowPath(
              { x: gantt.partOf(link.from.span.end) * width, y: middle(link.fromRow) },
              { x: gantt.partOf(link.to.span.start) * width, y: middle(link.toRow) },
            )}
          />
        ))}
      </svg>
    </div>
  )
}

/** The visible part of the rows, and the width of the timeline. */
function useWindow(box: RefObject<HTMLDivElement | null>) {
  const [view, setView] = useState({ top: 0, height: 900, width: 1000 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const width = element.querySelector<HTMLElement>('.ghead .gt')?.offsetWidth ?? 1000
      // In steps of a few rows: most scrolling then draws nothing.
      const top = Math.floor(element.scrollTop / (ROW_HEIGHT * 4)) * ROW_HEIGHT * 4
      const height = element.clientHeight + ROW_HEIGHT * 4
      setView((before) =>
        before.top === top && before.height === height && before.width === width ? before : { top, height, width },
      )
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    const unbind = whilePrinting(() => setView((now) => ({ ...now, top: 0, height: element.scrollHeight })), look)
    return () => {
      unbind()
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return view
}

/** A timeline that is wider than the window opens with today in view, in the middle of the area beside the names. */
function useOpenAtToday(box: RefObject<HTMLDivElement | null>, period: number): void {
  useLayoutEffect(() => {
    const seen = box.current?.getBoundingClientRect()
    const now = box.current?.querySelector('.nowline')?.getBoundingClientRect()
    if (box.current && seen && now)
      box.current.scrollLeft += now.left - seen.left - seen.width * (document.dir === 'rtl' ? 0.3 : 0.7)
  }, [period])
}

function useMinute(): number {
  const [now, setNow] = useState(wallNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(wallNow()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Names of the records that rows are grouped by through several links. */
function useGroupNames(gantt: Gantt): void {
  const field = gantt.levels.value.find((level) => level.field.type === 'many2many')?.field
  const ids = field ? gantt.set.ids.value.flatMap((id) => idsOf(valuesOf(gantt.set.entryOf(id)).value[field.name])) : []
  useNames(field?.relation ?? '', [...new Set(ids)])
}
