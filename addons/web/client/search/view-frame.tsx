import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { WireWorkspace } from '../../../../kernel/view/wire.ts'
import { deferredParts } from '../core/deferred-parts.ts'
import { hotkeys } from '../core/hotkeys.ts'
import { t } from '../core/i18n.ts'
import { changeRoute, type Route } from '../router/codec.ts'
import { services } from '../services.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Pager, type PagerProps } from '../ui/pager.tsx'
import { FilterMenu } from './menu/filter-menu.tsx'
import { GroupMenu } from './menu/group-menu.tsx'
import { isPanelOpen, togglePanel } from './panel/panel-state.ts'
import { askedRoute } from './query/asked-route.ts'
import { useSearch } from './query/search-model.ts'
import { isNewOffered, newHref } from './record-links.ts'
import { SearchBar } from './search-bar.tsx'
import { ViewTabs } from './view-tabs.tsx'

export interface ViewFrameProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  /** Rendered before the pager: pending updates and switches of the view. */
  readonly tools?: ComponentChildren
  /** Default: the pager of the workspace. Null hides it. */
  readonly pager?: PagerProps | null
  /** Default grouping of the view, `a,b:month`; by default that of its arch. Null for a view that cannot be grouped. */
  readonly groupFallback?: string | null
  /** Called by New; by default New opens the form of a new record. */
  readonly onNew?: () => void
  /** Whether the view has no content yet. The panel waits for it, so that its queries do not slow the view down. */
  readonly isLoading?: boolean
  readonly children: ComponentChildren
}

/** Frame of a view of many records: control bar, search panel and the view itself. */
export function ViewFrame({
  workspace,
  route,
  tools,
  pager,
  onNew,
  groupFallback,
  isLoading,
  children,
}: ViewFrameProps) {
  const search = useSearch(workspace, route)
  const asked = { workspace, route: askedRoute(route) }
  const isBoard = workspace.viewType === 'kanban'
  const fallback =
    groupFallback ?? (isBoard ? workspace.arch.kanban?.groupField : workspace.arch.root.attrs['default_group_by']) ?? ''
  const Panel = !isLoading && deferredParts.value?.SearchPanel
  // A field that a board is already grouped by needs no section in the panel.
  const grouped = isBoard ? search.groupBy(fallback).map((item) => item.split(':')[0]) : []
  const sections = workspace.search.panel.filter(({ field }) => !grouped.includes(field))
  const isPaneled = sections.length > 0 && isPanelOpen(workspace)
  const pages = pager === undefined ? pagesOf(workspace, route, search.isNarrowed) : pager
  return (
    <div class="view">
      <div class="ctlbar">
        {sections.length > 0 && <PanelButton workspace={workspace} isOpen={isPaneled} />}
        <SearchBar {...asked} groupFallback={isBoard ? '' : fallback} />
        <FilterMenu {...asked} />
        {groupFallback !== null && <GroupMenu {...asked} groupFallback={fallback} isSingle={isBoard} />}
        <div class="end">
          {tools}
          {pages && (
            <span class="wide">
              <Pager {...pages} />
            </span>
          )}
          <ViewTabs {...asked} />
          <NewButton workspace={workspace} onNew={onNew ?? (() => void services().router.go(newHref(workspace)))} />
        </div>
      </div>
      <div class={classNames('paneled', isPaneled && 'open')}>
        {isPaneled && (Panel ? <Panel {...asked} sections={sections} /> : <aside class="spanel" aria-hidden="true" />)}
        <div class="view">{children}</div>
      </div>
    </div>
  )
}

interface PanelButtonProps {
  readonly workspace: WireWorkspace
  readonly isOpen: boolean
}

/** Button and shortcut that show or hide the search panel. */
function PanelButton({ workspace, isOpen }: PanelButtonProps) {
  const toggle = () => togglePanel(workspace)
  useEffect(
    () => hotkeys.add({ keys: 'p', label: t('Narrow by'), group: t('Records'), run: toggle }),
    [workspace.viewType],
  )
  return (
    <Button
      label={t('Narrow by')}
      icon="sliders-horizontal"
      iconOnly
      kind="ghost"
      class="panelbtn"
      keys="p"
      expanded={isOpen}
      onClick={toggle}
    />
  )
}

function NewButton({ workspace, onNew }: { readonly workspace: WireWorkspace; readonly onNew: () => void }) {
  const isOffered = isNewOffered(workspace)
  useEffect(() => {
    if (!isOffered) return
    return hotkeys.add({ keys: 'n', label: t('New'), group: t('Records'), run: onNew })
  }, [isOffered, onNew])
  return isOffered ? <Button label={t('New')} icon="plus" kind="primary" keys="n" onClick={onNew} /> : null
}

/** Pager of the workspace. Null with a search in the fragment, which the server's total does not include. */
function pagesOf(workspace: WireWorkspace, route: Route, isNarrowed: boolean): PagerProps | null {
  if (isNarrowed) return null
  return {
    offset: workspace.listOffset,
    limit: workspace.listLimit,
    total: workspace.listTotal,
    isExact: workspace.listTotalExact,
    onMove: (to) => void services().router.go(changeRoute(route, { offset: to === 0 ? undefined : to })),
  }
}
