import { whilePrinting } from '../core/theme.ts'
import { splitTable } from './split-table.ts'

/** Contents of boxes that scroll horizontally. */
const CONTENT = '.scroll-x > table, .pivotscroll > table, .gantt > .gin'

/** Widths in pixels. Content wider than an upright sheet is printed in landscape; an even wider table is split. */
const UPRIGHT = 1000
const LYING = 1500

/**
 * Fits content to paper, which cannot scroll: sets `--wide`, the width by which print.css scales down content that is too wide. Columns of
 * a table that would become too small to read are printed below the others.
 */
export function fitToPaper({ documentElement: root }: Document): void {
  let copies: readonly HTMLElement[] = []
  whilePrinting(
    () => {
      const contents = [...root.querySelectorAll<HTMLElement>(CONTENT)]
      copies = contents.flatMap(prepare)
      const isWide = contents.some((content) => widthOf(content) > UPRIGHT && !content.closest('.dtile'))
      root.toggleAttribute('data-wide', isWide)
    },
    () => {
      for (const copy of copies) copy.remove()
      root.removeAttribute('data-wide')
    },
  )
}

const widthOf = (content: HTMLElement): number => Number.parseFloat(content.style.getPropertyValue('--wide'))

/** Sets the width of a box's content, and inserts the copies that are printed instead of a wide table after it. */
function prepare(content: HTMLElement): readonly HTMLElement[] {
  // A table can be narrower than on the screen, and is measured small, where letters are relatively wider; a timeline is as it is drawn.
  const isTable = content instanceof HTMLTableElement
  if (isTable) Object.assign(content.style, { width: '0', zoom: '0.6' })
  const width = content.offsetWidth
  const copies = isTable && width > LYING ? splitTable(content, LYING) : []
  if (isTable) Object.assign(content.style, { width: '', zoom: '' })
  content.style.setProperty('--wide', `${width}px`)
  content.toggleAttribute('data-split', copies.length > 0)
  for (const copy of copies) copy.dataset['paper'] = ''
  content.after(...copies)
  return copies
}
