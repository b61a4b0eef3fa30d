export type Align = 'start' | 'end' | 'stretch'

const GAP = 4
const EDGE = 8

/** Places a floating layer below its anchor, or above it if there is more room, within the window. */
export function placeFloating(
  floating: HTMLElement,
  anchor: Element,
  align: Align = 'start',
  around: DOMRect = anchor.getBoundingClientRect(),
): void {
  const { style } = floating
  if (align === 'stretch') style.minWidth = `${around.width}px`
  style.maxHeight = ''
  const { width, height } = floating.getBoundingClientRect()
  const below = innerHeight - around.bottom - GAP - EDGE
  const above = around.top - GAP - EDGE
  const isBelow = height <= below || below >= above
  style.maxHeight = `${Math.max(120, isBelow ? below : above)}px`
  const isEnd = (align === 'end') !== (getComputedStyle(anchor).direction === 'rtl')
  const left = isEnd ? around.right - width : around.left
  style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`
  style.top = isBelow ? `${around.bottom + GAP}px` : `${Math.max(EDGE, around.top - GAP - Math.min(height, above))}px`
}
