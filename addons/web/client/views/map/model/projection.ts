/** A place in degrees. */
export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/** A point of the world in the Mercator projection, both from 0 to 1, the north on top. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Mercator has no poles. */
const MAX_LATITUDE = 85.05

export function project({ latitude, longitude }: Coordinates): Point {
  const sine = Math.sin((Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180)
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) }
}

export const unproject = ({ x, y }: Point): Coordinates => ({
  latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
  longitude: x * 360 - 180,
})

/** What is on screen: the point in the middle, and the zoom. At zoom 0 the world is 256 pixels wide. */
export interface Camera extends Point {
  readonly zoom: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const MIN_ZOOM = 0.5
export const MAX_ZOOM = 18

export const worldSize = (zoom: number): number => 256 * 2 ** zoom

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** The camera kept on the map. */
export const keepInside = ({ x, y, zoom }: Camera): Camera => ({
  x: clamp(x, 0, 1),
  y: clamp(y, 0, 1),
  zoom: clamp(zoom, MIN_ZOOM, MAX_ZOOM),
})

/** Where a point of the world is on screen, from the middle. */
export const toScreen = (camera: Camera, { x, y }: Point): Point => {
  const size = worldSize(camera.zoom)
  return { x: (x - camera.x) * size, y: (y - camera.y) * size }
}

/** Zooms so that what is under a point of the screen stays there. */
export function zoomAt(camera: Camera, to: number, at: Point): Camera {
  const zoom = clamp(to, MIN_ZOOM, MAX_ZOOM)
  const before = worldSize(camera.zoom)
  const after = worldSize(zoom)
  return keepInside({ x: camera.x + at.x / before - at.x / after, y: camera.y + at.y / before - at.y / after, zoom })
}

/** A single place is not shown closer than a region around it. */
const MAX_FITTED = 6
const MARGIN = 48

/** The camera that shows all points. */
export function fitPoints(points: readonly Point[], { width, height }: Size): Camera {
  if (points.length === 0) return { x: 0.5, y: 0.36, zoom: Math.max(MIN_ZOOM, Math.log2(width / 256)) }
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const room = (pixels: number, part: number) =>
    Math.log2(Math.max(1, pixels - 2 * MARGIN) / 256 / Math.max(part, 1e-9))
  const zoom = Math.min(room(width, right - left), room(height, bottom - top), MAX_FITTED)
  return keepInside({ x: (left + right) / 2, y: (top + bottom) / 2, zoom })
}

export function isInView(camera: Camera, point: Point, { width, height }: Size): boolean {
  const { x, y } = toScreen(camera, point)
  return Math.abs(x) <= width / 2 && Math.abs(y) <= height / 2
}
