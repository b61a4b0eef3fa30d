import { type Deferred, deferred } from '../../../core/deferred.tsx'
import { msg } from '../../../core/i18n.ts'
import { type TileModule, views } from '../../../core/registries.ts'
import type { IconName } from '../../../ui/icon-names.ts'
import { VIEW_ICONS } from '../../../ui/view-icons.ts'
import { FIGURE } from '../model/tile.ts'
import { ListTile } from './list-tile.tsx'

/** The built-in kinds of view that a tile can show; those of addons say so in the registry of views. */
const TILES: Readonly<Record<string, Deferred<TileModule>>> = {
  list: deferred(() => Promise.resolve({ Tile: ListTile })),
  graph: deferred(() => import('../../graph/tile.tsx')),
  pivot: deferred(() => import('../../pivot/tile.tsx')),
  calendar: deferred(() => import('../../calendar/tile.tsx')),
  kanban: deferred(() => import('../../kanban/tile.tsx')),
  gantt: deferred(() => import('../../gantt/tile.tsx')),
  map: deferred(() => import('../../map/tile.tsx')),
  cohort: deferred(() => import('../../cohort/tile.tsx')),
}

export const tileLoader = (kind: string): (() => Promise<TileModule>) | undefined => {
  const entry = views.get(kind)
  return entry?.loadTile ? () => entry.loadTile!() : TILES[kind]?.load
}

export interface TileKind {
  readonly kind: string
  readonly label: string
  readonly icon: IconName | string
  /** Columns and rows of a new tile. */
  readonly size: readonly [w: number, h: number]
}

/** Names, and columns and rows of a new tile. */
const SHIPPED: Readonly<Record<string, readonly [label: string, w: number, h: number]>> = {
  [FIGURE]: [msg('Figure'), 3, 2],
  graph: [msg('Graph'), 6, 4],
  pivot: [msg('Pivot'), 6, 4],
  list: [msg('List'), 4, 4],
  kanban: [msg('Kanban'), 12, 5],
  calendar: [msg('Calendar'), 6, 4],
  gantt: [msg('Gantt'), 6, 4],
  map: [msg('Map'), 6, 4],
  cohort: [msg('Cohort'), 12, 4],
}

/** All kinds of tiles: a figure, the built-in kinds, and those of addons that can be drawn in a tile. */
export const tileKinds = (): readonly TileKind[] => {
  const others = views.entries().flatMap(([kind, { loadTile }]) => (loadTile && !SHIPPED[kind] ? [kind] : []))
  return [...Object.keys(SHIPPED), ...others].map((kind) => {
    const entry = views.get(kind)
    const [label, ...size] = SHIPPED[kind] ?? ([entry?.label ?? kind, 6, 4] as const)
    return { kind, label, size, icon: kind === FIGURE ? 'hash' : (entry?.icon ?? VIEW_ICONS[kind] ?? 'layout-grid') }
  })
}
