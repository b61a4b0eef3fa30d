import './view.css'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { wallToDay } from '../../../../../kernel/domain/zone.ts'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { EmptyState } from '../../search/empty-state.tsx'
import { useSearch } from '../../search/query/search-model.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { services } from '../../services.ts'
import { ErrorState } from '../../ui/empty.tsx'
import { cutText } from '../plan/cut-text.ts'
import { useLiftedKeys } from '../plan/lifted-keys.ts'
import { usePagerIds } from '../plan/pager-ids.ts'
import { PeriodBar } from '../plan/period-bar.tsx'
import { addUnits } from '../plan/periods.ts'
import { writeSpan } from '../plan/span.ts'
import { spanText } from '../plan/span-text.ts'
import { CutNotice } from '../shared/cut-notice.tsx'
import { changeFragment } from '../shared/fragment.ts'
import { Chart } from './chart/chart.tsx'
import { createGantt, type Gantt } from './model/gantt.ts'
import { ganttTitle, scaleNames } from './model/scale.ts'

const moves = deferred(() => import('./move/deferred-chunk.ts'))
const NewRecordForm = deferredComponent(moves, ({ NewRecordForm }) => NewRecordForm)

/** Records as bars over time, in groups, with what they wait for. */
export function View({ workspace, route }: ViewProps) {
  const search = useSearch(workspace, route)
  const box = useRef<HTMLDivElement>(null)
  const gantt = useMemo(() => createGantt(workspace), [])
  useLayoutEffect(() => gantt.take(workspace, search, route), [workspace, search, route])
  useEffect(() => gantt.stop, [])
  useEffect(() => {
    // Loaded ahead, so that it is ready when somebody drags.
    moves.load().catch(() => undefined)
  }, [])
  usePagerIds(gantt.set, gantt.arch.model, search.domain)
  useKeyNames(gantt)

  const scale = gantt.scale.value
  const date = gantt.date.value
  const [title, year] = ganttTitle(scale, date)
  return (
    <ViewFrame workspace={workspace} route={route} pager={null}>
      <PeriodBar
        title={
          <>
            {title} <span>{year}</span>
          </>
        }
        onToday={() => changeFragment(route, { date: undefined })}
        onStep={(by) => changeFragment(route, { date: wallToDay(addUnits(scale, date, by)) })}
        scales={scaleNames()}
        scale={scale}
        onScale={(next) => changeFragment(route, { scale: next === gantt.arch.scale ? undefined : next })}
      />
      <Content gantt={gantt} box={box} />
      <New gantt={gantt} box={box} />
    </ViewFrame>
  )
}

interface PartProps {
  readonly gantt: Gantt
  readonly box: RefObject<HTMLDivElement | null>
}

function Content({ gantt, box }: PartProps) {
  const { set, arch } = gantt
  const onKey = (event: KeyboardEvent) => {
    if (box.current) moves.peek()?.pressOnRows(gantt, box.current, event)
  }
  useLiftedKeys(gantt.lifted, onKey)
  const error = set.error.value
  if (error !== null) return <ErrorState error={error} onRetry={set.reload} />
  if (!arch.span) return <p class="nothing">{t('You may not see the dates of these records.')}</p>
  const isEmpty = gantt.rows.value.length === 0
  const isLoading = set.isLoading.value
  // An empty period is still a plan that one can go on from; without any record at all there is nothing to go to.
  if (isEmpty && !isLoading && gantt.workspace.value.listTotal === 0 && gantt.creating.value === null)
    return (
      <EmptyState
        workspace={gantt.workspace.value}
        route={services().router.route.value}
        groupFallback={arch.groupBy}
      />
    )
  return (
    <>
      {set.isCut.value && <CutNotice>{cutText()}</CutNotice>}
      <div
        class="scroll gantt"
        role="region"
        aria-label={t('Schedule')}
        aria-busy={isLoading}
        ref={box}
        data-scroll="gantt"
        data-lifted={gantt.lifted.value?.by}
        onPointerDown={(event) => moves.peek()?.pressOnChart(gantt, box, event)}
        onKeyDown={onKey}
      >
        <Chart gantt={gantt} box={box} />
        {isEmpty && !isLoading && <p class="nothing">{t('Nothing in this period.')}</p>}
      </div>
    </>
  )
}

/** The form for a record whose span was marked in a row. */
function New({ gantt, box }: PartProps) {
  const creating = gantt.creating.value
  const { arch, set } = gantt
  const anchor = useMemo(
    () => ({
      get current() {
        return box.current?.querySelector<HTMLElement>('[data-new]') ?? box.current
      },
    }),
    [creating],
  )
  if (!creating?.isOpen || !arch.span) return null
  const inGroup = Object.entries(creating.group?.values ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) && typeof value[1] === 'string' ? value[0] : value,
  ])
  return (
    <NewRecordForm
      key={`${creating.row}/${creating.span.start}`}
      arch={arch}
      anchor={anchor}
      values={{
        ...gantt.workspace.peek().defaults,
        ...Object.fromEntries(inGroup),
        ...writeSpan(creating.span, arch.span, {}, true),
      }}
      when={spanText(creating.span)}
      onClose={() => {
        gantt.creating.value = null
      }}
      onCreated={(id) => void set.refresh([id])}
    />
  )
}

/** Keys that the chart handles itself, for the overview. */
function useKeyNames({ arch }: Gantt): void {
  useEffect(() => {
    const told = [
      { keys: 'arrowdown', label: t('Next row') },
      ...(arch.mayMove ? [{ keys: 'm', label: t('Lift the record and put it down') }] : []),
    ]
    const stops = told.map((each) => hotkeys.add({ ...each, group: t('Schedule'), run: () => false }))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
