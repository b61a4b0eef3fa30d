import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { deferred } from '../../../core/deferred.tsx'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import type { Places } from '../model/places.ts'
import { type Camera, type Size, toScreen, worldSize } from '../model/projection.ts'
import { followGestures, pressOnMap, zoomBy } from './gestures.ts'
import { Pins } from './pins.tsx'

const world = deferred(() => import('./deferred-chunk.ts'))

interface CanvasProps {
  readonly places: Places
  /** Called when the map stands still again. */
  readonly onMoved: () => void
  /** Whether it leaves wheel and touch to the page around it; buttons and keys still move it. */
  readonly isStill?: boolean
}

/** The map: outlines or tiles, and on top of them the records. */
export function Canvas({ places, onMoved, isStill = false }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const settled = useRef(onMoved)
  settled.current = onMoved
  const camera = places.camera.value
  const size = places.size.value
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      places.size.value = { width: element.clientWidth, height: element.clientHeight }
      if (places.camera.peek() === null) places.fit()
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const stop = isStill ? () => undefined : followGestures(places, element, () => settled.current())
    return () => {
      observer.disconnect()
      stop()
    }
  }, [])
  useEffect(() => {
    // Without it the records are still on the map.
    world.load().catch(() => undefined)
  }, [])
  const act = (run: () => void) => () => {
    run()
    onMoved()
  }
  return (
    <div
      class="map"
      ref={box}
      role="application"
      aria-label={t('Map')}
      onKeyDown={(event) => pressOnMap(places, event) && onMoved()}
    >
      {camera && size && <Ground camera={camera} size={size} />}
      {camera && size && <Pins places={places} camera={camera} size={size} onMoved={onMoved} />}
      <div class="zoom">
        <Button label={t('Zoom in')} icon="plus" iconOnly onClick={act(() => zoomBy(places, 1))} />
        <Button label={t('Zoom out')} icon="minus" iconOnly onClick={act(() => zoomBy(places, -1))} />
        <Button label={t('Show all')} icon="globe" iconOnly onClick={act(places.fit)} />
      </div>
      <span class="attrib">
        {services().session.bootstrap.mapTilesUrl === null ? t('Outline: Natural Earth') : tileHost()}
      </span>
    </div>
  )
}

const tileHost = (): string => {
  try {
    return new URL(services().session.bootstrap.mapTilesUrl ?? '').hostname
  } catch {
    return ''
  }
}

function Ground({ camera, size }: { readonly camera: Camera; readonly size: Size }) {
  const outline = world.value
  const tiles = services().session.bootstrap.mapTilesUrl
  if (tiles !== null) return <Tiles url={tiles} camera={camera} size={size} />
  if (!outline) return null
  const scale = worldSize(camera.zoom) / outline.UNITS
  const origin = toScreen(camera, { x: 0, y: 0 })
  return (
    <svg aria-hidden="true" width={size.width} height={size.height}>
      <g transform={`translate(${size.width / 2 + origin.x} ${size.height / 2 + origin.y}) scale(${scale})`}>
        <outline.Outline />
      </g>
    </svg>
  )
}

/** Pictures of a server, of the nearest whole zoom. */
function Tiles({ url, camera, size }: { readonly url: string; readonly camera: Camera; readonly size: Size }) {
  const zoom = Math.max(0, Math.min(18, Math.round(camera.zoom)))
  const count = 2 ** zoom
  const edge = worldSize(camera.zoom) / count
  const first = (middle: number, pixels: number) => Math.max(0, Math.floor(middle * count - pixels / 2 / edge))
  const last = (middle: number, pixels: number) => Math.min(count - 1, Math.floor(middle * count + pixels / 2 / edge))
  const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  return (
    <div class="tiles" aria-hidden="true">
      {range(first(camera.y, size.height), last(camera.y, size.height)).flatMap((row) =>
        range(first(camera.x, size.width), last(camera.x, size.width)).map((column) => {
          const { x, y } = toScreen(camera, { x: column / count, y: row / count })
          return (
            <img
              key={`${zoom}/${column}/${row}`}
              alt=""
              draggable={false}
              src={url.replace('{z}', String(zoom)).replace('{x}', String(column)).replace('{y}', String(row))}
              style={{
                left: `${size.width / 2 + x}px`,
                top: `${size.height / 2 + y}px`,
                width: `${edge}px`,
                height: `${edge}px`,
              }}
            />
          )
        }),
      )}
    </div>
  )
}
