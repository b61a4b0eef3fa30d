import { t, tn } from '../../../core/i18n.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import { type Cluster, isSamePlace } from '../model/clusters.ts'
import type { Places } from '../model/places.ts'
import {
  type Camera,
  fitPoints,
  isInView,
  MAX_ZOOM,
  type Point,
  type Size,
  toScreen,
  zoomAt,
} from '../model/projection.ts'
import { nextOf, Popup } from './popup.tsx'

interface PinsProps {
  readonly places: Places
  readonly camera: Camera
  readonly size: Size
  readonly onMoved: () => void
}

/** The records in the window, close ones as one. */
export function Pins({ places, camera, size, onMoved }: PinsProps) {
  const clusters = places.clusters.value.filter((cluster) => isInView(camera, cluster, size))
  const selected = places.selected.value
  const pin = selected === null ? undefined : places.pins.value.find(({ id }) => id === selected)
  const at = (point: Point) => {
    const { x, y } = toScreen(camera, point)
    return { left: `${size.width / 2 + x}px`, top: `${size.height / 2 + y}px` }
  }
  return (
    <div class="pins">
      {clusters.map((cluster) =>
        cluster.ids.length === 1 ? (
          <OnePin key={cluster.ids[0]} places={places} id={cluster.ids[0]!} style={at(cluster)} />
        ) : (
          <button
            key={`c${cluster.ids[0]}`}
            type="button"
            class={classNames('pin cl', selected !== null && cluster.ids.includes(selected) && 'on')}
            style={{ ...at(cluster), '--d': `${24 + Math.min(20, Math.round(Math.log2(cluster.ids.length) * 4))}px` }}
            aria-label={clusterText(cluster)}
            onClick={() => {
              zoomInto(places, cluster)
              onMoved()
            }}
          >
            {cluster.ids.length}
          </button>
        ),
      )}
      {pin && (
        <Popup
          places={places}
          id={pin.id}
          ids={places.pins.value.flatMap((each) => (isSamePlace(each, pin) ? each.id : []))}
          style={at(pin)}
          isBelow={toScreen(camera, pin).y < -size.height / 4}
        />
      )}
    </div>
  )
}

function OnePin({
  places,
  id,
  style,
}: {
  readonly places: Places
  readonly id: number
  readonly style: Readonly<Record<string, string>>
}) {
  const isRecent = useRecentChanges(places.set.entryOf(id)).size > 0
  const isOn = places.selected.value === id
  return (
    <button
      type="button"
      class={classNames('pin', isOn && 'on', isRecent && 'live')}
      style={style}
      data-pin={id}
      aria-label={places.titleOf(id)}
      aria-expanded={isOn}
      aria-haspopup="dialog"
      data-tip={isOn ? undefined : places.titleOf(id)}
      onClick={() => {
        places.selected.value = isOn ? null : id
      }}
    />
  )
}

/** Shows the records of a cluster apart; if they are at one place, the first of them. */
function zoomInto(places: Places, { ids, isOnePlace, x, y }: Cluster): void {
  const [camera, size] = [places.camera.peek(), places.size.peek()]
  const inside = places.pins.peek().filter(({ id }) => ids.includes(id))
  if (!camera || !size) return
  if (isOnePlace) {
    places.selected.value = nextOf(ids, places.selected.peek())
    return
  }
  const fitted = fitPoints(inside, size)
  places.camera.value =
    fitted.zoom > camera.zoom
      ? fitted
      : zoomAt({ ...camera, x, y }, Math.min(MAX_ZOOM, camera.zoom + 2), { x: 0, y: 0 })
}

const clusterText = ({ ids, isOnePlace }: Cluster): string =>
  isOnePlace
    ? tn(ids.length, '{n} record at one place, show it', '{n} records at one place, show them')
    : tn(ids.length, '{n} record here, zoom in', '{n} records here, zoom in')

/** Text of the list's heading. */
export const viewText = (shown: number, all: number): string =>
  shown === all ? tn(all, '{n} record', '{n} records') : t('{shown} of {all} in view', { shown, all })
