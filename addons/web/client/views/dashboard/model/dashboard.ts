import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { isAbort } from '../../../net/errors.ts'
import { onRecordChanges } from '../../../net/record-changes.ts'
import type { Row } from '../../../net/rpc.ts'
import { fetchWorkspace } from '../../../net/workspace.ts'
import { changeRoute, formatQuery, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { type Arranging, createArranging } from './arranging.ts'
import { isPeriodUnit, type PeriodUnit } from './period.ts'
import { FIGURE, TILE_FIELDS, type TileRecord, toTile } from './tile.ts'

/** A dashboard as it is stored (`sys.dashboard`). */
export interface DashboardRecord {
  readonly id: number
  readonly name: string
  readonly ownerId: number | null
  readonly isShared: boolean
  readonly period: PeriodUnit
}

export interface Dashboard {
  /** All that the user may see, for the switcher; null until they are loaded. */
  readonly all: ReadonlySignal<readonly DashboardRecord[] | null>
  readonly record: ReadonlySignal<DashboardRecord | null>
  /** As stored. */
  readonly tiles: ReadonlySignal<readonly TileRecord[] | null>
  readonly error: ReadonlySignal<unknown>
  /** Where the tiles are being arranged; null outside the edit mode. */
  readonly arranging: ReadonlySignal<Arranging | null>
  edit(): void
  stopEditing(): void
  /** The view behind an address as a kind of tile needs it, for this user. Tiles of the same view share it. */
  workspaceAt(kind: string, route: Route): Promise<WireWorkspace>
  load(): Promise<void>
  stop(): void
}

export const MODELS = ['sys.dashboard', 'sys.dashboard.tile']
const FIELDS = ['name', 'user_id', 'is_shared', 'period'] as const
/** More dashboards than a user and the addons have together. */
const MAX_LISTED = 200

export function toDashboard(row: Row): DashboardRecord {
  const owner = row['user_id']
  const period = String(row['period'])
  return {
    id: row.id,
    name: String(row['name']),
    ownerId: Array.isArray(owner) ? Number(owner[0]) : null,
    isShared: row['is_shared'] === true,
    period: isPeriodUnit(period) ? period : 'month',
  }
}

export const loadDashboards = async (domain: readonly unknown[] = []): Promise<readonly DashboardRecord[]> =>
  (await searchRead(services().rpc, 'sys.dashboard', domain, FIELDS, { limit: MAX_LISTED })).map(toDashboard)

/** Follows one dashboard: changes of other users are shown, except while it is arranged here. */
export function openDashboard(id: number): Dashboard {
  const { rpc, transport, session, bus } = services()
  const all = signal<readonly DashboardRecord[] | null>(null)
  const tiles = signal<readonly TileRecord[] | null>(null)
  const error = signal<unknown>(null)
  const arranging = signal<Arranging | null>(null)
  const workspaces = new Map<string, Promise<WireWorkspace>>()

  async function load(): Promise<void> {
    try {
      const [dashboards, rows] = await Promise.all([
        loadDashboards(),
        searchRead(rpc, 'sys.dashboard.tile', [['dashboard_id', '=', id]], TILE_FIELDS),
      ])
      all.value = dashboards
      tiles.value = rows.map(toTile)
      error.value = null
    } catch (failure) {
      if (!isAbort(failure) && tiles.peek() === null) error.value = failure
    }
  }

  const stop = onRecordChanges(bus, MODELS, () => {
    if (arranging.peek() === null) void load()
  })

  return {
    all,
    record: computed(() => all.value?.find((each) => each.id === id) ?? null),
    tiles,
    error,
    arranging,
    edit() {
      const stored = tiles.peek()
      if (stored !== null) arranging.value = createArranging(id, stored)
    },
    stopEditing() {
      arranging.value = null
      void load()
    },
    workspaceAt(kind, { params }) {
      // A graph is the cheapest view to ask for a figure: it comes without records.
      const figured = params.action === undefined ? 'list' : 'graph'
      const { menu_id: _, ...rest } = params
      const query = formatQuery({ ...rest, view_type: kind === FIGURE ? figured : kind })
      const asked = workspaces.get(query) ?? fetchWorkspace(transport, session.bootstrap.wcApiBase, query)
      workspaces.set(query, asked)
      asked.catch(() => workspaces.delete(query))
      return asked
    },
    load,
    stop,
  }
}

/** The address of a dashboard: in the menu that is open, and with the same filters. */
export const dashboardRoute = (route: Route, id: number): Route => ({
  ...changeRoute(route, {
    view_type: 'form',
    id,
    ...(route.params.action === undefined && { model: 'sys.dashboard' }),
  }),
  path: '/web',
})

/** Whether the user may change a dashboard: their own, and as an administrator shared ones. */
export function mayArrange({ ownerId, isShared }: DashboardRecord): boolean {
  const { user } = services().session.bootstrap
  return ownerId === user.id || (isShared && user.isAdmin)
}
