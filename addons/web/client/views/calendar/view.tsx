import './view.css'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { wallToDay } from '../../../../../kernel/domain/zone.ts'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { searchChanges } from '../../search/query/change-search.ts'
import { facetsOf } from '../../search/query/facets.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { services } from '../../services.ts'
import { ErrorState } from '../../ui/empty.tsx'
import { useLiftedKeys } from '../plan/lifted-keys.ts'
import { usePagerIds } from '../plan/pager-ids.ts'
import { PeriodBar } from '../plan/period-bar.tsx'
import { unitsIn } from '../plan/periods.ts'
import { RecordsCut } from '../plan/records-cut.tsx'
import { writeSpan } from '../plan/span.ts'
import { spanText } from '../plan/span-text.ts'
import { DAY, floorDay, wallNow } from '../plan/wall.ts'
import { changeFragment } from '../shared/fragment.ts'
import { CutNotice } from '../shared/notices.tsx'
import { Agenda } from './grid/agenda.tsx'
import { DayTable } from './grid/day-table.tsx'
import { HourGrid } from './grid/hour-grid.tsx'
import { type Calendar, createCalendar, NEW_ID } from './model/calendar.ts'
import { isScale, rangeTitle, scaleLabels, step } from './model/range.ts'
import { newSpan } from './move/place-at.ts'
import { Side } from './side.tsx'

const moves = deferred(() => import('./deferred-chunk.ts'))
const NewRecordForm = deferredComponent(moves, ({ NewRecordForm }) => NewRecordForm)

/** Records by the days and hours they happen. */
export function View({ workspace, route }: ViewProps) {
  const search = useSearch(workspace, route)
  const box = useRef<HTMLDivElement>(null)
  const calendar = useMemo(() => {
    const made = createCalendar(workspace)
    made.take(workspace, search, route)
    return made
  }, [])
  useLayoutEffect(() => calendar.take(workspace, search, route), [workspace, search, route])
  useEffect(() => calendar.stop, [])
  useEffect(() => {
    // Loaded ahead, so that dragging does not have to wait.
    moves.load().catch(() => undefined)
  }, [])
  usePagerIds(calendar.set, calendar.arch.model, search.domain)
  useKeyNames(calendar, box)

  const scale = calendar.scale.value
  const date = calendar.date.value
  const [title, year] = rangeTitle(scale, date)
  const goTo = (day: number) => changeFragment(route, { date: wallToDay(day) })
  const isHere = floorDay(wallNow()) >= calendar.range.value.from && floorDay(wallNow()) < calendar.range.value.to
  const newDay = () => dayOfFocus(box.current) ?? (isHere ? floorDay(wallNow()) : date)
  const onNew = () => {
    const place = { wall: newDay(), hasTime: false }
    if (box.current)
      calendar.creating.value = { span: newSpan(calendar.arch, place, place), root: box.current, isOpen: true }
  }
  const onKey = (event: KeyboardEvent) => {
    const show = (day: number) => {
      const { from, to } = calendar.range.peek()
      if (day < from || day >= to) goTo(floorDay(day))
    }
    if (box.current) moves.peek()?.pressOnDays(calendar, box.current, event, show)
  }
  useLiftedKeys(calendar.lifted, onKey)
  return (
    <ViewFrame
      workspace={workspace}
      route={route}
      pager={null}
      groupFallback={null}
      {...(calendar.arch.span && { onNew })}
    >
      <PeriodBar
        title={
          <>
            {title} <span>{year}</span>
          </>
        }
        onToday={() => changeFragment(route, { date: undefined })}
        onStep={(by) => goTo(step(scale, date, by))}
        scales={scaleLabels()}
        scale={scale}
        onScale={(next) =>
          isScale(next) && changeFragment(route, { scale: next === calendar.arch.mode ? undefined : next })
        }
      />
      <div class="calview" aria-busy={calendar.set.isLoading.value}>
        <div
          class="calwrap"
          role="region"
          aria-label={t('Calendar')}
          ref={box}
          onPointerDown={(event) => box.current && moves.peek()?.pressOnGrid(calendar, box.current, event)}
          onClick={(event) => box.current && moves.peek()?.clickOnGrid(calendar, box.current, event)}
          onKeyDown={onKey}
          data-lifted={calendar.lifted.value?.by}
        >
          <Content calendar={calendar} />
          <Nothing calendar={calendar} />
        </div>
        <Side calendar={calendar} route={route} />
        <New calendar={calendar} />
      </div>
    </ViewFrame>
  )
}

interface PartProps {
  readonly calendar: Calendar
}

/**
 * A notice below an empty grid, with a button to show all records if filters may be the reason. A record that is being created does
 * not end it: the grid must not move under the pointer that draws it.
 */
function Nothing({ calendar: { set, scale, placed, workspace } }: PartProps) {
  const { router } = services()
  const isEmpty = placed.value.every(({ id }) => id === NEW_ID)
  if (!isEmpty || scale.value === 'agenda' || set.isLoading.value || set.error.value !== null) return null
  const isFiltered = facetsOf(workspace.value, router.route.value).some(({ isGroup }) => !isGroup)
  return (
    <CutNotice>
      {isFiltered ? t('Nothing in this period matches the filters.') : t('Nothing in this period.')}{' '}
      {isFiltered && (
        <button
          type="button"
          class="link"
          onClick={() => void router.go(searchChanges(workspace.value, router.route.value).clear())}
        >
          {t('Show all')}
        </button>
      )}
    </CutNotice>
  )
}

function Content({ calendar }: PartProps) {
  const { set, arch } = calendar
  const { from, to } = calendar.range.value
  const scale = calendar.scale.value
  const error = set.error.value
  if (error !== null) return <ErrorState error={error} onRetry={set.reload} />
  if (!arch.span) return <p class="nothing">{t('You may not see the dates of these records.')}</p>
  return (
    <>
      <RecordsCut of={set} />
      {scale === 'agenda' ? (
        <Agenda calendar={calendar} />
      ) : scale === 'month' || arch.span.start.type === 'date' ? (
        <DayTable
          calendar={calendar}
          rows={scale === 'month' ? unitsIn('week', from, to) : [from]}
          count={scale === 'day' ? 1 : 7}
          placed={calendar.placed.value}
          isTall={scale !== 'month'}
        />
      ) : (
        <HourGrid calendar={calendar} from={from} count={(to - from) / DAY} />
      )}
    </>
  )
}

/** The form for a new record, next to its place in the grid. */
function New({ calendar }: PartProps) {
  const creating = calendar.creating.value
  const { arch, set } = calendar
  const anchor = useMemo(
    () => ({
      get current() {
        const root = creating?.root
        return (
          root?.querySelector<HTMLElement>(`[data-event="${NEW_ID}"]`) ??
          root?.querySelector<HTMLElement>(`[data-day="${wallToDay(creating?.span.start ?? 0)}"]`) ??
          root ??
          null
        )
      },
    }),
    [creating],
  )
  if (!creating?.isOpen || !arch.span) return null
  return (
    <NewRecordForm
      key={`${creating.span.start}/${creating.span.end}`}
      arch={arch}
      anchor={anchor}
      values={{ ...calendar.workspace.peek().defaults, ...writeSpan(creating.span, arch.span, {}, true) }}
      when={spanText(creating.span)}
      onClose={() => {
        calendar.creating.value = null
      }}
      onCreated={(id) => void set.refresh([id])}
    />
  )
}

/** The day that has the focus: New begins there. */
function dayOfFocus(root: HTMLElement | null): number | null {
  const active = document.activeElement
  const cell = active && root?.contains(active) ? active.closest<HTMLElement>('[data-day]') : null
  return cell ? Date.parse(`${cell.dataset['day']}T00:00:00Z`) : null
}

/** The key that moves the focus into the records. Those of the grid are only listed in the overview; it handles them. */
function useKeyNames({ arch }: Calendar, box: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const told = [
      {
        keys: 'arrowdown',
        label: t('Next record or week'),
        run: () => moves.peek()?.enterDays(box.current) ?? false,
      },
      { keys: 'arrowright', label: t('Next day') },
      ...(arch.mayMove ? [{ keys: 'm', label: t('Lift the record and put it down') }] : []),
    ]
    const stops = told.map((each) => hotkeys.add({ run: () => false, ...each, group: t('Calendar') }))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
