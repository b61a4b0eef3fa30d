import { cellMatrix } from './cell-matrix.ts'

/** Neighbouring columns that are printed below one another, with how wide they are together with the first column. */
interface Band {
  readonly from: number
  readonly to: number
  readonly width: number
}

/** Copies of a table with a part of its columns each, none wider than `room`; the first column, the names of the rows, is in all. */
export function splitTable(table: HTMLTableElement, room: number): readonly HTMLTableElement[] {
  const bands = bandsOf(cellMatrix(table), room)
  const wide = Math.max(...bands.map(({ width }) => width))
  return bands.map(({ from, to }) => {
    const copy = table.cloneNode(true) as HTMLTableElement
    for (const [at, line] of cellMatrix(copy).entries())
      for (const cell of new Set(line)) {
        const start = line.indexOf(cell)
        if (start === 0 || cell.parentNode !== copy.rows[at]) continue
        const span = Math.min(to, start + cell.colSpan) - Math.max(from, start)
        if (span > 0) cell.colSpan = span
        else cell.remove()
      }
    // The copies are all scaled by the same factor, so the style set for measuring is removed.
    copy.removeAttribute('style')
    copy.style.setProperty('--wide', `${wide}px`)
    return copy
  })
}

/** Columns below one heading stay together if they fit. */
function bandsOf(matrix: readonly (readonly HTMLTableCellElement[])[], room: number): readonly Band[] {
  const widths = widthsOf(matrix)
  const [names = 0] = widths
  const groups = matrix[0] ?? []
  const bands: Band[] = []
  let band: Band = { from: 1, to: 1, width: names }
  for (let from = 1; from < widths.length; ) {
    const isApart = sum(widths, from, endOf(groups, from)) > room - names
    const to = isApart ? from + 1 : endOf(groups, from)
    const width = sum(widths, from, to)
    if (band.to > band.from && band.width + width > room) {
      bands.push(band)
      band = { from, to: from, width: names }
    }
    band = { from: band.from, to, width: band.width + width }
    from = to
  }
  return [...bands, band]
}

/** Where the heading over a column ends. */
const endOf = (groups: readonly HTMLTableCellElement[], from: number): number => groups.lastIndexOf(groups[from]!) + 1

const sum = (widths: readonly number[], from: number, to: number): number =>
  widths.slice(from, to).reduce((total, width) => total + width, 0)

/** Widths of the columns, from cells that span only one. */
const widthsOf = (matrix: readonly (readonly HTMLTableCellElement[])[]): readonly number[] =>
  (matrix.at(-1) ?? []).map((_, column) => {
    const line = matrix.find((each) => each[column]?.colSpan === 1)
    return line?.[column]?.offsetWidth ?? 0
  })
