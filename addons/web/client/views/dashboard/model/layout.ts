/** Where a tile lies: columns from the start, rows from the top. */
export interface TilePlace {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

export type Positioned<T> = T & TilePlace & { readonly id: number }

export const COLUMNS = 12
export const MAX_HEIGHT = 12
/** Fewest columns and rows of a tile. */
export const MIN_SIZE = 2

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

const overlaps = (a: TilePlace, b: TilePlace): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** From top to bottom, and within a row from the start: also the order of reading. */
export const inReadingOrder = <T extends TilePlace>(tiles: readonly T[]): readonly T[] =>
  tiles.toSorted((a, b) => a.y - b.y || a.x - b.x)

/**
 * The tiles without overlaps and gaps: `first` keeps its place if there is a tile above it to rest on, the others are pushed down, and
 * then all move up.
 */
export function settle<T>(tiles: readonly Positioned<T>[], first?: number): readonly Positioned<T>[] {
  const lead = tiles.filter(({ id }) => id === first)
  const order = [...lead, ...inReadingOrder(tiles.filter(({ id }) => id !== first))]
  const apart: Positioned<T>[] = []
  for (const tile of order) {
    let place = tile
    for (let hit = apart.find((other) => overlaps(place, other)); hit; ) {
      place = { ...place, y: hit.y + hit.h }
      const now: Positioned<T> = place
      hit = apart.find((other) => overlaps(now, other))
    }
    apart.push(place)
  }
  const risen: Positioned<T>[] = []
  for (const tile of inReadingOrder(apart)) {
    let place = tile
    for (;;) {
      const above: Positioned<T> = { ...place, y: place.y - 1 }
      if (place.y === 0 || risen.some((other) => overlaps(above, other))) break
      place = above
    }
    risen.push(place)
  }
  return risen
}

/** One tile moved to a cell. */
export function moveTile<T>(
  tiles: readonly Positioned<T>[],
  id: number,
  x: number,
  y: number,
): readonly Positioned<T>[] {
  const moved = tiles.map((tile) =>
    tile.id === id ? { ...tile, x: between(x, 0, COLUMNS - tile.w), y: Math.max(0, y) } : tile,
  )
  return settle(moved, id)
}

/** One tile with another size; it grows away from its start. */
export function resizeTile<T>(
  tiles: readonly Positioned<T>[],
  id: number,
  w: number,
  h: number,
): readonly Positioned<T>[] {
  const sized = tiles.map((tile) =>
    tile.id === id ? { ...tile, w: between(w, MIN_SIZE, COLUMNS - tile.x), h: between(h, MIN_SIZE, MAX_HEIGHT) } : tile,
  )
  return settle(sized, id)
}

const sharesColumn = (a: TilePlace, b: TilePlace): boolean => a.x < b.x + b.w && b.x < a.x + a.w

/** A tile below the next one under it, which moves up first: a single row down would be undone by the moving up. */
export function stepDown<T>(tiles: readonly Positioned<T>[], id: number): readonly Positioned<T>[] {
  const tile = tiles.find((each) => each.id === id)
  const below = tiles.filter((other) => tile && other.y >= tile.y + tile.h && sharesColumn(tile, other))
  const next = below.toSorted((a, b) => a.y + a.h - b.y - b.h)[0]
  if (!tile || !next) return tiles
  const others = settle(tiles.filter((other) => other !== tile))
  const passed = others.find((other) => other.id === next.id) ?? next
  return settle([...others, { ...tile, y: passed.y + passed.h }], id)
}

/** A tile in the place of the next one above it. */
export function stepUp<T>(tiles: readonly Positioned<T>[], id: number): readonly Positioned<T>[] {
  const tile = tiles.find((each) => each.id === id)
  const above = tiles.filter((other) => tile && other.y + other.h <= tile.y && sharesColumn(tile, other))
  const next = above.toSorted((a, b) => b.y - a.y)[0]
  return tile && next ? moveTile(tiles, id, tile.x, next.y) : tiles
}

/** The first free place for a tile of this size, from the top. */
export function freePlace(tiles: readonly TilePlace[], w: number, h: number): TilePlace {
  for (let y = 0; ; y++) {
    for (let x = 0; x + w <= COLUMNS; x++) {
      const place = { x, y, w, h }
      if (!tiles.some((tile) => overlaps(tile, place))) return place
    }
  }
}
