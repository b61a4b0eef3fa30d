import './tile.css'
import { t } from '../../core/i18n.ts'
import type { TileProps } from '../../core/registries.ts'
import { TileBody } from '../shared/tile/tile-body.tsx'
import { TileCut } from '../shared/tile/tile-cut.tsx'
import { Canvas } from './drawn/canvas.tsx'
import { usePlaces } from './use-places.ts'

const stay = () => undefined

/** The map without the list; the page around it scrolls as ever. */
export function Tile({ workspace, route }: TileProps) {
  const { places } = usePlaces({ workspace, route })
  const { set, pins, latitude, longitude } = places
  const isLoading = set.isLoading.value
  if (!latitude || !longitude) return <p class="tilenote t3">{t('You may not see the places of these records.')}</p>
  return (
    <TileBody
      load={{ isStale: set.isLoading, error: set.error, reload: set.reload }}
      isLoaded={pins.value.length > 0 || !isLoading}
      isEmpty={pins.value.length === 0}
    >
      <TileCut when={set.isCut.value} />
      <div class="mapview intile">
        <Canvas places={places} onMoved={stay} isStill />
      </div>
    </TileBody>
  )
}
