import './tile.css'
import { useState } from 'preact/hooks'
import type { TileProps } from '../../core/registries.ts'
import { TileBody } from '../shared/tile-body.tsx'
import type { PivotOrder } from './pivot-data.ts'
import { PivotTable } from './table.tsx'
import { usePivot } from './use-pivot.ts'

/** A pivot table that can be opened and sorted in place; further levels are a matter of the full view. */
export function Tile({ workspace, route, title }: TileProps) {
  const [sorted, setSorted] = useState<{ readonly order: PivotOrder | null } | undefined>(undefined)
  const { load, loaded, table, toggle } = usePivot({ workspace, route }, sorted)
  function sortBy(col: string, measure: string): void {
    const order = table?.order
    const isThis = order?.col === col && order.measure === measure
    const isDone = isThis && !order.isDescending
    setSorted({ order: isDone ? null : { col, measure, isDescending: !isThis } })
  }
  return (
    <TileBody load={load} isLoaded={table !== null} isEmpty={loaded?.groups[0]?.__count === 0}>
      {table && (
        <div class="pivotview intile">
          <PivotTable
            {...table}
            title={title}
            onSort={sortBy}
            onToggle={(axis, node) => node.children.length > 0 && toggle(axis, node.path)}
          />
        </div>
      )}
    </TileBody>
  )
}
