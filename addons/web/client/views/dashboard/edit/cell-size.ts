/** Columns and rows of the grid in pixels, gaps included, as it is laid out now. */
export function cellSize(grid: HTMLElement): {
  readonly width: number
  readonly height: number
  readonly isRtl: boolean
} {
  const style = getComputedStyle(grid)
  const tracks = style.gridTemplateColumns.split(' ')
  const gap = Number.parseFloat(style.columnGap)
  return {
    width: Number.parseFloat(tracks[0] ?? '1') + gap,
    height: Number.parseFloat(style.gridAutoRows) + Number.parseFloat(style.rowGap),
    isRtl: style.direction === 'rtl',
  }
}
