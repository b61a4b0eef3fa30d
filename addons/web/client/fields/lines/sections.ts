import type { FieldRecord } from '../../core/registries.ts'
import { textOf } from '../value/values.ts'
import type { LineColumn, LinesArch } from './columns.ts'

/** Kinds of a line across the table: a heading with the sum of the lines down to the next one, or a text. */
export type LineKind = 'section' | 'note'

export const LINE_KINDS: readonly LineKind[] = ['section', 'note']

/** The kinds that lines of this list may be, besides ordinary ones. */
export const lineKindsOf = ({ kind }: LinesArch): readonly LineKind[] =>
  LINE_KINDS.filter((each) => kind?.selection?.some(([key]) => key === each))

/** The kind of a line; null for an ordinary one. */
export function lineKindOf({ kind }: LinesArch, record: Pick<FieldRecord, 'get'>): LineKind | null {
  const value = kind === null ? null : record.get(kind.name)
  return LINE_KINDS.find((each) => each === value) ?? null
}

/** The column with the text of a line across the table, also while it is hidden. */
export const textColumn = ({ columns }: LinesArch): LineColumn | undefined =>
  columns.find(({ field }) => field.type === 'text' || field.type === 'char')

/** The first line of its text. */
export const headOfLine = (arch: LinesArch, record: FieldRecord): string =>
  textOf(record.get(textColumn(arch)?.field.name ?? '')).split('\n')[0] ?? ''

/** The rows between a section and the next one. */
export function rowsBelow(
  rows: readonly number[],
  section: number,
  isSection: (row: number) => boolean,
): readonly number[] {
  const below = rows.slice(rows.indexOf(section) + 1)
  const next = below.findIndex(isSection)
  return next < 0 ? below : below.slice(0, next)
}

/** Puts the rows of each section in another order; the sections stay where they are. */
export function sortInSections(
  rows: readonly number[],
  isSection: (row: number) => boolean,
  sorted: (rows: readonly number[]) => readonly number[],
): readonly number[] {
  const first = rows.findIndex(isSection)
  const before = sorted(first < 0 ? rows : rows.slice(0, first))
  return [...before, ...rows.filter(isSection).flatMap((row) => [row, ...sorted(rowsBelow(rows, row, isSection))])]
}
