import type { FieldRecord } from '../../core/registries.ts'
import { Cell, type LineCellProps } from './cell.tsx'
import type { LineColumn, LinesArch } from './columns.ts'
import { LineTotal } from './line-sums.tsx'
import type { LinesModel } from './model.ts'
import { type LineKind, lineKindOf, rowsBelow, textColumn } from './sections.ts'

export interface AcrossCellsProps
  extends Pick<LineCellProps, 'columns' | 'record' | 'scope' | 'isEditing' | 'isChecked' | 'onInvalid'> {
  readonly id: string
  readonly kind: LineKind
  readonly row: number
  readonly arch: LinesArch
  readonly parent: FieldRecord
  readonly model: LinesModel
  readonly recordOf: (row: number) => FieldRecord
}

/** The cells of a line across the table: its text up to the first column with section sums, then the sums of a section. */
export function AcrossCells({ id, kind, row, arch, parent, model, recordOf, ...cell }: AcrossCellsProps) {
  const { columns } = cell
  const column = textColumn(arch)
  if (column === undefined) return null
  const sums = kind === 'section' ? columns.filter(isSummed) : []
  const span = sums[0] === undefined ? columns.length : Math.max(1, columns.indexOf(sums[0]))
  const below = rowsBelow(model.lines().rows, row, (each) => lineKindOf(arch, recordOf(each)) === 'section')
  return (
    <>
      <Cell
        {...cell}
        id={`${id}-${row}-${column.field.name}`}
        column={column}
        part="title"
        span={span}
        isRequired
        typed={undefined}
        onChange={(value) => model.set(row, column.field.name, value)}
      />
      {columns.slice(span).map((each) => (
        <div
          key={each.field.name}
          class={each.isNumeric ? 'gc num' : 'gc'}
          role="gridcell"
          data-m={each === sums[0] ? 'amount' : 'hide'}
        >
          {sums.includes(each) && <LineTotal column={each} lines={below.map(recordOf)} record={parent} />}
        </div>
      ))}
    </>
  )
}

const isSummed = ({ isSectionSum }: LineColumn): boolean => isSectionSum
