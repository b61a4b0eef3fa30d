import { t } from '../../core/i18n.ts'
import type { TileProps } from '../../core/registries.ts'
import { CurrencyNotice } from '../shared/notices.tsx'
import { TileBody } from '../shared/tile/tile-body.tsx'
import { useTileCurrency } from '../shared/tile/tile-currency.ts'
import { TileCut } from '../shared/tile/tile-cut.tsx'
import { CohortTable } from './table.tsx'
import { useCohorts } from './use-cohorts.ts'

/** The table of cohorts without its tools. */
export function Tile({ workspace, route: own, title }: TileProps) {
  const [route, choose] = useTileCurrency(own)
  const { load, loaded, table } = useCohorts({ workspace, route })
  return (
    <TileBody load={load} isLoaded={table !== null} isEmpty={table?.data.cohorts.length === 0}>
      <TileCut when={loaded?.hasOlder} />
      <CurrencyNotice of={loaded?.currency} onChoose={choose} />
      {table && (
        <section class="tilebody scrolled" aria-label={t('{title}, scrollable', { title })}>
          <CohortTable title={title} {...table} />
        </section>
      )}
    </TileBody>
  )
}
