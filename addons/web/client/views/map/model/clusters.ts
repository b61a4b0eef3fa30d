import { type Point, worldSize } from './projection.ts'

/** A record on the map. */
export interface Pin extends Point {
  readonly id: number
}

/** One or several records that are too close to be told apart. */
export interface Cluster extends Point {
  readonly ids: readonly number[]
  /** Whether no zoom tells them apart. */
  readonly isOnePlace: boolean
}

export const isSamePlace = (one: Point, other: Point): boolean => one.x === other.x && one.y === other.y

/** Pixels within which records are drawn as one. */
const RADIUS = 44

/**
 * Joins what is close at a zoom. Records are looked at in their order and in the squares around them, so it is quick for thousands, and
 * the same records make the same clusters.
 */
export function clusterPins(pins: readonly Pin[], zoom: number): readonly Cluster[] {
  const size = worldSize(zoom)
  const squares = new Map<string, { x: number; y: number; pins: Pin[] }[]>()
  const all: { x: number; y: number; pins: Pin[] }[] = []
  for (const pin of pins) {
    const [x, y] = [pin.x * size, pin.y * size]
    const [column, row] = [Math.floor(x / RADIUS), Math.floor(y / RADIUS)]
    const near = [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => squares.get(`${column + dx}/${row + dy}`) ?? []))
      .map((cluster) => ({ cluster, distance: Math.hypot(cluster.x - x, cluster.y - y) }))
      .filter(({ distance }) => distance < RADIUS)
      .toSorted((a, b) => a.distance - b.distance)[0]
    if (near) near.cluster.pins.push(pin)
    else {
      const made = { x, y, pins: [pin] }
      all.push(made)
      const key = `${column}/${row}`
      squares.set(key, [...(squares.get(key) ?? []), made])
    }
  }
  return all.map(({ pins: inside }) => ({
    ids: inside.map(({ id }) => id),
    isOnePlace: inside.every((pin) => isSamePlace(pin, inside[0]!)),
    x: inside.reduce((sum, { x }) => sum + x, 0) / inside.length,
    y: inside.reduce((sum, { y }) => sum + y, 0) / inside.length,
  }))
}
