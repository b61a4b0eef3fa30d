import './tile.css'
import { t } from '../../core/i18n.ts'
import type { TileProps } from '../../core/registries.ts'
import { useLiftedKeys } from '../plan/lifted-keys.ts'
import { TileBody } from '../shared/tile/tile-body.tsx'
import { TileCut } from '../shared/tile/tile-cut.tsx'
import { Chart } from './chart/chart.tsx'
import { useGantt } from './use-gantt.ts'

/** The rows and bars of the period; bars are moved by keys here, and by the pointer in the full view. */
export function Tile({ workspace, route, title }: TileProps) {
  const { gantt, box, isReady, onKey } = useGantt({ workspace, route })
  useLiftedKeys(gantt.lifted, onKey)
  const { set, arch, rows } = gantt
  const isLoading = set.isLoading.value
  if (!arch.span) return <p class="tilenote t3">{t('You may not see the dates of these records.')}</p>
  return (
    <TileBody
      load={{ isStale: set.isLoading, error: set.error, reload: set.reload }}
      isLoaded={isReady && (rows.value.length > 0 || !isLoading)}
      isEmpty={rows.value.length === 0}
    >
      <TileCut when={set.isCut.value} />
      <div
        class="gantt intile"
        role="region"
        aria-label={t('{title}, scrollable', { title })}
        aria-busy={isLoading}
        ref={box}
        data-lifted={gantt.lifted.value?.by}
        onKeyDown={onKey}
      >
        <Chart gantt={gantt} box={box} />
      </div>
    </TileBody>
  )
}
