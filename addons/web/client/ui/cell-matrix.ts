/** The cells of a table by row and column; one that spans several is at each of its places. */
export function cellMatrix(table: HTMLTableElement): readonly (readonly HTMLTableCellElement[])[] {
  const matrix: HTMLTableCellElement[][] = [...table.rows].map(() => [])
  for (const [at, row] of [...table.rows].entries()) {
    let column = 0
    for (const cell of row.cells) {
      while (matrix[at]![column]) column++
      for (let down = 0; down < cell.rowSpan; down++)
        for (let right = 0; right < cell.colSpan; right++) {
          const line = matrix[at + down]
          if (line) line[column + right] = cell
        }
      column += cell.colSpan
    }
  }
  return matrix
}
