import { t } from '../../../core/i18n.ts'
import { moveTile, resizeTile, stepDown, stepUp, type TilePlace } from '../model/layout.ts'
import type { TileRecord } from '../model/tile.ts'

/** Arrow keys move a tile by a column or past the tile above or below, with shift they resize it. Null for other keys. */
export function arrangeByKey(
  tiles: readonly TileRecord[],
  id: number,
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
): readonly TileRecord[] | null {
  const tile = tiles.find((each) => each.id === id)
  if (!tile || ctrlKey || metaKey || altKey) return null
  const towardsEnd = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const towardsStart = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  const { x, y, w, h } = tile
  switch (key) {
    case towardsEnd:
      return shiftKey ? resizeTile(tiles, id, w + 1, h) : moveTile(tiles, id, x + 1, y)
    case towardsStart:
      return shiftKey ? resizeTile(tiles, id, w - 1, h) : moveTile(tiles, id, x - 1, y)
    case 'ArrowDown':
      return shiftKey ? resizeTile(tiles, id, w, h + 1) : stepDown(tiles, id)
    case 'ArrowUp':
      return shiftKey ? resizeTile(tiles, id, w, h - 1) : stepUp(tiles, id)
    default:
      return null
  }
}

/** Where a tile is now, for screen readers. */
export const placeText = ({ x, y, w, h }: TilePlace): string =>
  t('Column {column}, row {row}, {width} wide, {height} high', { column: x + 1, row: y + 1, width: w, height: h })
