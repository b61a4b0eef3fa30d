import './tile.css'
import { useState } from 'preact/hooks'
import type { TileProps } from '../../core/registries.ts'
import { CurrencyNotice } from '../shared/notices.tsx'
import { TileBody } from '../shared/tile/tile-body.tsx'
import { useTileCurrency } from '../shared/tile/tile-currency.ts'
import { TileCut } from '../shared/tile/tile-cut.tsx'
import { nextOrder, type PivotLook, toggleGroup } from './state.ts'
import { PivotTable } from './table.tsx'
import { usePivot } from './use-pivot.ts'

/** A pivot table that can be opened and sorted in place; further levels are a matter of the full view. */
export function Tile({ workspace, route: given, title }: TileProps) {
  const [route, choose] = useTileCurrency(given)
  const [own, setOwn] = useState<PivotLook | undefined>(undefined)
  const { load, loaded, table, look } = usePivot({ workspace, route }, own)
  return (
    <TileBody load={load} isLoaded={table !== null} isEmpty={loaded?.groups[0]?.__count === 0}>
      <TileCut when={loaded?.isCut} />
      <CurrencyNotice of={loaded?.currency} onChoose={choose} />
      {table && (
        <div class="pivotview intile">
          <PivotTable
            {...table}
            title={title}
            onSort={(col, measure) => setOwn({ ...look, order: nextOrder(look.order, col, measure) })}
            onToggle={(axis, node) =>
              node.children.length > 0 && setOwn({ ...look, open: toggleGroup(look.open, axis, node.path) })
            }
          />
        </div>
      )}
    </TileBody>
  )
}
