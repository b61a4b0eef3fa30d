import type { CardPart } from '../column/columns.ts'
import type { LineHeights } from './layout.ts'

export const PHONE = '(width < 640px)'
const CARD_PADDING = 20
const CARD_LINE = 22

/** The heights of the lines: by density, and on a phone by the number of lines of a card. */
export function lineHeights(card: ReadonlyMap<string, CardPart>): LineHeights {
  const row = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'))
  const parts = new Set(card.values())
  const lines = 1 + Number(parts.has('sub') || parts.has('side')) + Number(parts.has('meta'))
  return { row: matchMedia(PHONE).matches ? CARD_PADDING + lines * CARD_LINE : row, group: row }
}
