import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { deferredParts } from '../../core/deferred-parts.ts'
import { hotkeys, isFocusNowhere } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { EmptyState } from '../../search/empty-state.tsx'
import type { LiveUpdates } from '../../search/updates.tsx'
import { ViewFrame } from '../../search/view-frame.tsx'
import { rememberPagerRecords } from '../../store/pager-records.ts'
import { ErrorState } from '../../ui/empty.tsx'
import { Pager } from '../../ui/pager.tsx'
import { DelayedSkeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { showError } from '../../ui/toasts.tsx'
import { createEditing } from './edit/editing.ts'
import { Grid } from './grid/grid.tsx'
import { useLineHeights } from './grid/line-heights.ts'
import { listParts } from './model/deferred-parts.ts'
import { keepRow, lastRow } from './model/last-row.ts'
import { countMatching, lineOfRecord } from './model/layout.ts'
import { createListView, type ListView } from './model/list-view.ts'
import { createListModel } from './model/model.ts'
import './view.css'

/** Records in rows. */
export function View({ workspace, route }: ViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const view = useMemo(() => {
    const model = createListModel(workspace, route)
    return createListView(model, createEditing(model))
  }, [])
  useLineHeights(view.model)
  const live = useLive(view, box)
  useLayoutEffect(() => view.model.take(workspace, route), [workspace, route])
  useEffect(() => view.model.stop, [])
  useKeys(view)
  useReturn(view)
  useWalk(view)
  const Updates = deferredParts.value?.Updates
  const Files = listParts.value?.FileButtons
  return (
    <ViewFrame
      workspace={workspace}
      route={route}
      pager={null}
      tools={
        <>
          {Updates && live.value && <Updates live={live.value} />}
          <Position view={view} />
          {Files && <Files view={view} />}
        </>
      }
      {...(view.model.arch.editable !== null && { onNew: view.beginNew })}
    >
      <div class="listview" ref={box}>
        <Content view={view} />
        <Selected view={view} />
      </div>
    </ViewFrame>
  )
}

/** Whether the user looks at the rows: while focus or pointer are on them, or they are scrolled, rows must not move. */
const isLookedAt = (box: HTMLElement | null): boolean =>
  box !== null && (box.matches(':hover, :focus-within') || (box.querySelector('.scroll')?.scrollTop ?? 0) > 0)

/** Starts live updates and puts the cursor back, once the rows are drawn. */
function useLive(view: ListView, box: { readonly current: HTMLElement | null }): ReadonlySignal<LiveUpdates | null> {
  const live = useSignal<LiveUpdates | null>(null)
  useEffect(() => {
    let stop = () => {}
    const isBusy = () => view.model.selection.isAny.peek() || isLookedAt(box.current)
    listParts.load().then(({ attachList }) => {
      // Missing if the list was left meanwhile.
      if (!box.current) return
      const attached = attachList(view, box.current, isBusy)
      live.value = attached
      stop = attached.stop
    }, showError)
    return () => stop()
  }, [])
  return live
}

/** The bar with the actions for the selected rows. */
function Selected({ view }: { readonly view: ListView }) {
  const Bar = view.model.selection.isAny.value ? listParts.value?.SelectionBar : undefined
  return Bar ? <Bar view={view} /> : null
}

function Content({ view }: { readonly view: ListView }) {
  const { model } = view
  const groups = model.groups.value
  const error = groups === null ? model.list.error.value : model.groupError.value
  if (error !== null && model.loadedIds().length === 0)
    return <ErrorState error={error} onRetry={() => void model.refresh()} />
  const isWaiting =
    groups === null
      ? model.list.isLoading.value && model.layout.value.count === 0
      : groups.length === 0 && model.list.total.value > 0
  if (isWaiting) {
    return (
      <DelayedSkeleton>
        <SkeletonRows />
      </DelayedSkeleton>
    )
  }
  return model.layout.value.count === 0 ? <NoRows view={view} /> : <Grid view={view} />
}

/** The empty list. In an editable one the first row is entered here. */
function NoRows({ view: { model, beginNew } }: { readonly view: ListView }) {
  const { arch, workspace, route } = model
  return (
    <EmptyState
      workspace={workspace.value}
      route={route.value}
      groupFallback={arch.defaultGroupBy}
      onNew={arch.editable === null ? undefined : beginNew}
    />
  )
}

/** Which rows are in view; its arrows scroll by a screen. */
function Position({ view }: { readonly view: ListView }) {
  const { model, viewport } = view
  const { heights } = model
  const shown = useComputed(() => {
    const { top, height } = viewport.value
    const { row, group } = heights.value
    return `${Math.floor(top / row)} ${Math.max(1, Math.floor((height - 2 * group) / row))}`
  })
  if (model.groups.value !== null) return null
  const [offset = 0, limit = 1] = shown.value.split(' ').map(Number)
  return (
    <span class="wide">
      <Pager
        offset={Math.min(offset, Math.max(0, model.list.total.value - 1))}
        limit={limit}
        total={countMatching(model.list)}
        isExact={model.list.isExact.value}
        onMove={(to) => view.scrollTo(to)}
      />
    </span>
  )
}

/** Puts the cursor on the row of the record the user returns from. */
function useReturn({ model }: ListView): void {
  useLayoutEffect(() => {
    const line = lineOfRecord(model.layout.peek(), lastRow(model).id)
    if (line !== null) model.cursor.value = { ...model.cursor.peek(), line }
    return () => keepRow(model)
  }, [])
}

/** Remembers the rows in their order for previous and next in the form. */
function useWalk({ model }: ListView): void {
  useSignalEffect(() => {
    if (model.groups.value !== null) return
    const ids = model.list.ids.value.value
    const offset = ids.findIndex((id) => id !== undefined)
    if (offset < 0) return
    const end = ids.indexOf(undefined, offset)
    const { domain, order = '' } = model.list.query.value
    const loaded = ids.slice(offset, end < 0 ? ids.length : end).filter((id) => id !== undefined)
    rememberPagerRecords({ model: model.arch.model, ids: loaded, offset, total: model.list.total.value, domain, order })
  })
}

/** The key that moves the focus into the grid. */
function useKeys(view: ListView): void {
  useEffect(() => {
    const enter = () => (isFocusNowhere() ? view.focusGrid() : false)
    return hotkeys.add({ keys: 'arrowdown', label: t('Into the rows'), group: t('List'), run: enter })
  }, [])
}
