import './view.css'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { EmptyState } from '../../search/empty-state.tsx'
import { ViewFrame } from '../../search/view-frame.tsx'
import { services } from '../../services.ts'
import { ErrorState } from '../../ui/empty.tsx'
import { usePagerIds } from '../plan/pager-ids.ts'
import { RecordsCut } from '../plan/records-cut.tsx'
import { changeFragment } from '../shared/fragment.ts'
import { Canvas } from './drawn/canvas.tsx'
import { PlaceList } from './drawn/list.tsx'
import type { Places } from './model/places.ts'
import { unproject } from './model/projection.ts'
import { usePlaces } from './use-places.ts'

/** Records by where they are, with a list beside the map. */
export function View({ workspace, route }: ViewProps) {
  const { places, search } = usePlaces({ workspace, route }, rememberCamera)
  usePagerIds(places.set, places.arch.model, search.domain)
  return (
    <ViewFrame workspace={workspace} route={route} pager={null} groupFallback={null}>
      <Content places={places} onMoved={() => rememberCamera(places)} />
    </ViewFrame>
  )
}

function Content({ places, onMoved }: { readonly places: Places; readonly onMoved: () => void }) {
  const { set } = places
  const error = set.error.value
  if (error !== null) return <ErrorState error={error} onRetry={set.reload} />
  if (!places.latitude || !places.longitude)
    return <p class="nothing">{t('You may not see the places of these records.')}</p>
  if (places.pins.value.length === 0 && !set.isLoading.value)
    return <EmptyState workspace={places.workspace.value} route={services().router.route.value} />
  return (
    <>
      <RecordsCut of={set} />
      <div class="mapview" aria-busy={set.isLoading.value}>
        <Canvas places={places} onMoved={onMoved} />
        <PlaceList places={places} onMoved={onMoved} />
      </div>
    </>
  )
}

/** Puts the place on the map into the address. */
function rememberCamera(places: Places): void {
  const camera = places.camera.peek()
  if (!camera) return
  const { latitude, longitude } = unproject(camera)
  const at = `${latitude.toFixed(4)},${longitude.toFixed(4)},${camera.zoom.toFixed(2)}`
  changeFragment(services().router.route.peek(), { at })
}
