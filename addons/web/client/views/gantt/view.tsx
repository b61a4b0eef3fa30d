import './view.css'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { wallToDay } from '../../../../../kernel/domain/zone.ts'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { EmptyState } from '../../search/empty-state.tsx'
import { ViewFrame } from '../../search/view-frame.tsx'
import { services } from '../../services.ts'
import { ErrorState } from '../../ui/empty.tsx'
import { useLiftedKeys } from '../plan/lifted-keys.ts'
import { usePagerIds } from '../plan/pager-ids.ts'
import { PeriodBar } from '../plan/period-bar.tsx'
import { addUnits } from '../plan/periods.ts'
import { RecordsCut } from '../plan/records-cut.tsx'
import { changeFragment } from '../shared/fragment.ts'
import { Chart } from './chart/chart.tsx'
import type { Gantt } from './model/gantt.ts'
import { ganttTitle, scaleNames } from './model/scale.ts'
import { moves, useGantt } from './use-gantt.ts'

const New = deferredComponent(
  deferred(() => import('./move/new-bar-form.tsx')),
  ({ NewBarForm }) => NewBarForm,
)

/** Records as bars over time, in groups, with their dependencies. */
export function View({ workspace, route }: ViewProps) {
  const { gantt, box, search, isReady, onKey } = useGantt({ workspace, route })
  usePagerIds(gantt.set, gantt.arch.model, search.domain)
  useKeyNames(gantt, box)

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
      <Content gantt={gantt} box={box} isReady={isReady} onKey={onKey} />
      <New gantt={gantt} box={box} />
    </ViewFrame>
  )
}

interface ContentProps {
  readonly gantt: Gantt
  readonly box: RefObject<HTMLDivElement | null>
  readonly isReady: boolean
  readonly onKey: (event: KeyboardEvent) => void
}

function Content({ gantt, box, isReady, onKey }: ContentProps) {
  const { set, arch } = gantt
  useLiftedKeys(gantt.lifted, onKey)
  const error = set.error.value
  if (error !== null) return <ErrorState error={error} onRetry={set.reload} />
  if (!arch.span) return <p class="nothing">{t('You may not see the dates of these records.')}</p>
  const isEmpty = gantt.rows.value.length === 0
  const isLoading = set.isLoading.value
  // An empty period still shows the plan, to move to another one; the empty state is only shown without any record.
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
      <RecordsCut of={set} />
      <div
        class="scroll gantt"
        role="region"
        aria-label={t('Schedule')}
        aria-busy={isLoading || !isReady}
        ref={box}
        data-scroll="gantt"
        data-lifted={gantt.lifted.value?.by}
        onPointerDown={(event) => moves.peek()?.pressOnChart(gantt, box, event)}
        onKeyDown={onKey}
      >
        {isReady && <Chart gantt={gantt} box={box} />}
        {isEmpty && !isLoading && <p class="nothing">{t('Nothing in this period.')}</p>}
      </div>
    </>
  )
}

/** The key that moves the focus into the rows. Those of rows are only listed in the overview; the chart handles them. */
function useKeyNames({ arch }: Gantt, box: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const told = [
      { keys: 'arrowdown', label: t('Next row'), run: () => moves.peek()?.enterRows(box.current) ?? false },
      ...(arch.mayMove ? [{ keys: 'm', label: t('Lift the record and put it down') }] : []),
    ]
    const stops = told.map((each) => hotkeys.add({ run: () => false, ...each, group: t('Schedule') }))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
