import { whilePrinting } from '../../../core/theme.ts'
import { type Line, lineAt, placeOf } from '../model/layout.ts'
import type { ListView } from '../model/list-view.ts'

/** Lines on paper at most; the export writes documents of any length. */
const MAX_LINES = 2_000

/** Draws all rows from the top up to the first one not loaded while the page is printed, since paper cannot scroll. */
export function printRows(view: ListView): () => void {
  const drawLoaded = () => {
    const layout = view.model.layout.peek()
    let end = 0
    while (end < Math.min(layout.count, MAX_LINES) && isLoaded(lineAt(layout, end))) end++
    if (end > 0) view.viewport.value = { top: 0, height: placeOf(layout, end - 1).top }
  }
  return whilePrinting(drawLoaded, view.measure)
}

const isLoaded = (line: Line | null): boolean =>
  line?.kind !== 'record' || line.list.ids.value.peek()[line.at] !== undefined
