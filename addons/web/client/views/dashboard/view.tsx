import './view.css'
import { useEffect, useMemo } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { changeRoute, type Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { Empty, ErrorState } from '../../ui/empty.tsx'
import { DelayedSkeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { showError } from '../../ui/toasts.tsx'
import { FilterBar } from './bar.tsx'
import { TileGrid } from './grid.tsx'
import { loadDashboards, openDashboard } from './model/dashboard.ts'
import { readFilters } from './model/filters.ts'

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
      if (chosen && !isGone)
        await services().router.go(changeRoute(route, { view_type: 'form', id: chosen.id }), { replace: true })
    }
    open().catch(showError)
    return () => {
      isGone = true
    }
  }, [])
  return <Waiting />
}

/** One dashboard: its filters on top, its tiles below. */
export function DashboardPage({ id, route }: { readonly id: number; readonly route: Route }) {
  const dashboard = useMemo(() => openDashboard(id), [id])
  useEffect(() => {
    void dashboard.load()
    return dashboard.stop
  }, [dashboard])
  const record = dashboard.record.value
  const tiles = dashboard.tiles.value
  const error = dashboard.error.value
  if (error !== null) return <ErrorState error={error} onRetry={() => void dashboard.load()} />
  if (record === null || tiles === null) return <Waiting />
  const filters = readFilters(route, record.period)
  return (
    <div class="view dashview">
      <FilterBar dashboard={dashboard} record={record} route={route} filters={filters} />
      <div class="dt-wrap">
        <div class="scroll" data-scroll="dashboard">
          {tiles.length === 0 ? (
            <Empty
              icon="layout-dashboard"
              title={t('No tiles yet')}
              text={t('Open a view and choose “Pin to dashboard” in its favourites.')}
            />
          ) : (
            <TileGrid dashboard={dashboard} tiles={tiles} filters={filters} />
          )}
        </div>
      </div>
    </div>
  )
}
