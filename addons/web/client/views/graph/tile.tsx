import './tile.css'
import { useRef } from 'preact/hooks'
import type { TileProps } from '../../core/registries.ts'
import { CurrencyNotice } from '../shared/notices.tsx'
import { TileBody } from '../shared/tile/tile-body.tsx'
import { useTileCurrency } from '../shared/tile/tile-currency.ts'
import { TileCut } from '../shared/tile/tile-cut.tsx'
import { ChartCanvas } from './canvas.tsx'
import { Legend } from './figures.tsx'
import { useChart } from './use-chart.ts'

/** A chart without its tools. */
export function Tile({ workspace, route: own, title }: TileProps) {
  const [route, choose] = useTileCurrency(own)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { load, data, loaded, kind, look, format, pick, toggle } = useChart({ workspace, route })
  return (
    <TileBody load={load} isLoaded={data !== null} isEmpty={loaded?.rows[0]?.__count === 0}>
      <TileCut when={loaded?.isCut || data?.isCut} />
      <CurrencyNotice of={loaded?.currency} onChoose={choose} />
      {data && (
        <div class="graphview intile">
          <Legend data={data} isPie={kind === 'pie'} hidden={look.hidden} onToggle={toggle} />
          <ChartCanvas
            data={data}
            look={look}
            label={`${title}: ${format(data.total.value) || '–'}`}
            format={format}
            onPick={pick}
            canvasRef={canvas}
          />
        </div>
      )}
    </TileBody>
  )
}
