import { msg } from '../../../core/i18n.ts'
import { type TileModule, views } from '../../../core/registries.ts'
import type { IconName } from '../../../ui/icon-names.ts'
import { VIEW_ICONS } from '../../../ui/view-icons.ts'
import { FIGURE } from '../model/tile.ts'
import { ListTile } from './list-tile.tsx'

/** The built-in kinds of view that a tile can show; those of addons say so in the registry of views. */
const TILES: Readonly<Record<string, () => Promise<TileModule>>> = {
  list: () => Promise.resolve({ Tile: ListTile }),
  graph: () => import('../../graph/tile.tsx'),
  pivot: () => import('../../pivot/tile.tsx'),
  calendar: () => import('../../calendar/tile.tsx'),
}

export const tileLoader = (kind: string): (() => Promise<TileModule>) | undefined => {
  const entry = views.get(kind)
  return entry?.loadTile ? () => entry.loadTile!() : TILES[kind]
}

export interface TileKind {
  readonly kind: string
  readonly label: string
  readonly icon: IconName | string
  /** Columns and rows of a new tile. */
  readonly size: readonly [w: number, h: number]
}

const SHIPPED: readonly TileKind[] = [
  { kind: FIGURE, label: msg('Figure'), icon: 'hash', size: [3, 2] },
  { kind: 'graph', label: msg('Graph'), icon: 'chart-column', size: [6, 4] },
  { kind: 'pivot', label: msg('Pivot'), icon: 'table-2', size: [6, 4] },
  { kind: 'list', label: msg('List'), icon: 'list', size: [4, 4] },
  { kind: 'calendar', label: msg('Calendar'), icon: 'calendar', size: [6, 4] },
]

/** Everything a tile can be: a figure, the built-in kinds, and those of addons by their name in the registry. */
export const tileKinds = (): readonly TileKind[] => {
  const shipped = new Set(SHIPPED.map(({ kind }) => kind))
  const others = views.entries().filter(([kind, { loadTile }]) => loadTile !== undefined && !shipped.has(kind))
  return [
    ...SHIPPED,
    ...others.map(([kind]): TileKind => ({ kind, label: kind, icon: VIEW_ICONS[kind] ?? 'layout-grid', size: [6, 4] })),
  ]
}
