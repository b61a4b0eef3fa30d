import './view.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { Empty, ErrorState } from '../../ui/empty.tsx'
import { DelayedSkeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { showError } from '../../ui/toasts.tsx'
import { FilterBar } from './bar.tsx'
import { EditBar } from './edit/edit-bar.tsx'
import { EditGrid } from './edit/edit-grid.tsx'
import { TileGrid } from './grid.tsx'
import { dashboardRoute, loadDashboards, openDashboard } from './model/dashboard.ts'
import { readFilters } from './model/filters.ts'

const AddPanel = deferredComponent(
  deferred(() => import('./edit/add-panel.tsx')),
  (loaded) => loaded.AddPanel,
)

/** The page of a dashboard. Without a record it opens the first one of the action, or else the first one there is. */
export function View({ workspace, route }: ViewProps) {
  return workspace.recordId === 0 ? (
    <Opening domain={workspace.domain} route={route} />
  ) : (
    <DashboardPage id={workspace.recordId} route={route} />
  )
}

const Waiting = () => (
  <div class="view" aria-busy="true">
    <DelayedSkeleton>
      <SkeletonRows />
    </DelayedSkeleton>
  </div>
)

function Opening({ domain, route }: { readonly domain: readonly unknown[]; readonly route: Route }) {
  useEffect(() => {
    let isGone = false
    const open = async () => {
      const [own] = await loadDashboards(domain)
      const chosen = own ?? (await loadDashboards())[0]
      if (chosen && !isGone) await services().router.go(dashboardRoute(route, chosen.id), { replace: true })
    }
    open().catch(showError)
    return () => {
      isGone = true
    }
  }, [])
  return <Waiting />
}

interface DashboardPageProps {
  readonly id: number
  readonly route: Route
  /** Shown instead of a dashboard that was deleted, or that the user may no longer see. */
  readonly missing?: ComponentChildren
}

/** One dashboard: its filters on top, its tiles below. */
export function DashboardPage({ id, route, missing }: DashboardPageProps) {
  const dashboard = useMemo(() => openDashboard(id), [id])
  useEffect(() => {
    void dashboard.load()
    return dashboard.stop
  }, [dashboard])
  const [isAdding, setAdding] = useState(false)
  const record = dashboard.record.value
  const arranging = dashboard.arranging.value
  const tiles = dashboard.tiles.value
  const error = dashboard.error.value
  // The next time it is edited, the panel is closed.
  useEffect(() => setAdding(false), [arranging === null])
  if (error !== null) return <ErrorState error={error} onRetry={() => void dashboard.load()} />
  if (dashboard.all.value === null || tiles === null) return <Waiting />
  if (record === null) return <>{missing ?? <Empty icon="layout-dashboard" title={t('This dashboard is gone')} />}</>
  const filters = readFilters(route, record.period)
  return (
    <div class="view dashview">
      {arranging ? (
        <EditBar
          dashboard={dashboard}
          record={record}
          arranging={arranging}
          isAdding={isAdding}
          onAdd={() => setAdding(!isAdding)}
        />
      ) : (
        <FilterBar dashboard={dashboard} record={record} route={route} filters={filters} />
      )}
      <div class="dt-wrap">
        <div class="scroll" data-scroll="dashboard">
          {arranging ? (
            <EditGrid dashboard={dashboard} arranging={arranging} filters={filters} />
          ) : tiles.length === 0 ? (
            <Empty
              icon="layout-dashboard"
              title={t('No tiles yet')}
              text={t('Open a view and choose “Pin to dashboard” in its favourites.')}
            />
          ) : (
            <TileGrid dashboard={dashboard} tiles={tiles} filters={filters} />
          )}
        </div>
        {arranging && isAdding && (
          <AddPanel dashboard={dashboard} arranging={arranging} onClose={() => setAdding(false)} />
        )}
      </div>
    </div>
  )
}
