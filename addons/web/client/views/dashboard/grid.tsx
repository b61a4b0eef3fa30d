import type { Dashboard } from './model/dashboard.ts'
import type { Filters } from './model/filters.ts'
import { inReadingOrder } from './model/layout.ts'
import type { TileRecord } from './model/tile.ts'
import { TileFrame } from './tile/tile-frame.tsx'

interface GridProps {
  readonly dashboard: Dashboard
  readonly tiles: readonly TileRecord[]
  readonly filters: Filters
}

/** The tiles where they were put; on a narrow screen one below the other in reading order. */
export const TileGrid = ({ dashboard, tiles, filters }: GridProps) => (
  <div class="dash">
    {inReadingOrder(tiles).map((tile) => (
      <TileFrame key={tile.id} dashboard={dashboard} tile={tile} filters={filters} />
    ))}
  </div>
)
