import { project } from '../model/projection.ts'
import { ARCS, LAND } from './world.ts'

/** Units of the drawing over the width of the world. */
export const UNITS = 10_000

type Place = readonly [x: number, y: number]

const arcs: readonly (readonly Place[])[] = ARCS.split(';').map((text) => {
  let [x, y] = [0, 0]
  return text.split(' ').map((step) => {
    const [dx = 0, dy = 0] = step.split(',').map(Number)
    x += dx
    y += dy
    const point = project({ latitude: y / 10, longitude: x / 10 })
    return [Math.round(point.x * UNITS), Math.round(point.y * UNITS)]
  })
})

/** Whether a step goes around the back of the world; along the South Pole it goes along the edge of the map. */
const isAround = ([x, y]: Place, [nextX]: Place): boolean => Math.abs(nextX - x) > UNITS / 2 && y < UNITS * 0.99

/** A line that ends at one edge of the map begins again at the other. */
const lineOf = (points: readonly Place[]): string =>
  points
    .map((point, at) => {
      const before = points[at - 1]
      return `${before === undefined || isAround(before, point) ? 'M' : 'L'}${point[0]} ${point[1]}`
    })
    .join('')

/** A ring that goes around the back is drawn on both sides, each time beyond the edge. */
function ringOf(points: readonly Place[]): string {
  let shift = 0
  const moved = points.map((point, at): Place => {
    const before = points[at - 1]
    if (before && isAround(before, point)) shift += point[0] < before[0] ? UNITS : -UNITS
    return [point[0] + shift, point[1]]
  })
  const isWhole = moved.every(([x]) => x >= 0 && x <= UNITS)
  const copies = isWhole ? [0] : [0, moved.some(([x]) => x > UNITS) ? -UNITS : UNITS]
  return copies.map((by) => `M${moved.map(([x, y]) => `${x + by} ${y}`).join('L')}Z`).join('')
}

const rings = LAND.split(';').map((ring) => ring.split(' ').map(Number))
const coast = new Set(rings.flat().map((arc) => (arc < 0 ? ~arc : arc)))
const land = rings
  .map((ring) => ringOf(ring.flatMap((arc) => (arc < 0 ? (arcs[~arc] ?? []).toReversed() : (arcs[arc] ?? [])))))
  .join('')
const borders = arcs.flatMap((arc, at) => (coast.has(at) ? [] : lineOf(arc))).join('')

/** The countries of the world, drawn without any network. */
export const Outline = () => (
  <>
    <path class="land" d={land} />
    <path class="borders" d={borders} />
  </>
)
