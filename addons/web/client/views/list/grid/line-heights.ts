import { useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { services } from '../../../services.ts'
import type { CardPart } from '../column/columns.ts'
import type { LineHeights } from '../model/layout.ts'
import type { ListModel } from '../model/model.ts'

const PHONE = '(width < 640px)'
const CARD_PADDING = 20
const CARD_LINE = 22

/** Sets the heights of the lines before they are drawn first, and again with the density, the columns and the width of the window. */
export function useLineHeights(model: ListModel): void {
  const { density } = services().appearance
  const measure = () => {
    const next = lineHeights(model.card.peek())
    const now = model.heights.peek()
    if (now.row !== next.row || now.group !== next.group) model.heights.value = next
  }
  useMemo(measure, [])
  useSignalEffect(() => {
    void density.value
    void model.card.value
    const phone = matchMedia(PHONE)
    measure()
    phone.addEventListener('change', measure)
    return () => phone.removeEventListener('change', measure)
  })
}

/** By density, and on a phone by the number of lines of a card. */
function lineHeights(card: ReadonlyMap<string, CardPart>): LineHeights {
  const row = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'))
  const parts = new Set(card.values())
  const lines = 1 + Number(parts.has('sub') || parts.has('side')) + Number(parts.has('meta'))
  return { row: matchMedia(PHONE).matches ? CARD_PADDING + lines * CARD_LINE : row, group: row }
}
