import type { AttemptedImport } from '../../kernel/exchange/import/attempted.ts'
import type { Problem } from '../../kernel/exchange/import/record/record.ts'
import type { UndoReport } from '../../kernel/exchange/import/undo.ts'

/** Maximum number of lines of one kind. */
const SHOWN = 20
/** Rows that one line names. */
const SHOWN_ROWS = 5

/** The problems with their rows. A problem of many whole rows, such as a missing column, is listed once. */
export function problemLines(problems: readonly Problem[], refused: number): readonly string[] {
  const lines = new Map<string, { readonly label: string; readonly rows: number[] }>()
  for (const { row, column, message } of problems) {
    const label = column === null ? `: ${message}` : `, ${column}: ${message}`
    const key = column === null ? label : `${row}${label}`
    const line = lines.get(key) ?? { label, rows: [] }
    line.rows.push(row)
    lines.set(key, line)
  }
  const shown = [...lines.values()].slice(0, SHOWN)
  const told = new Set(shown.flatMap(({ rows }) => rows)).size
  return [...shown.map(({ label, rows }) => `${rowsText(rows)}${label}`), ...more(refused - told, 'rows')]
}

function rowsText(rows: readonly number[]): string {
  if (rows.length === 1) return `Row ${rows[0]}`
  const named = rows.slice(0, SHOWN_ROWS).join(', ')
  return rows.length <= SHOWN_ROWS ? `Rows ${named}` : `Rows ${named} and ${rows.length - SHOWN_ROWS} more`
}

/** The columns of the file that are not imported. */
export const columnLines = ({ left_out }: AttemptedImport): readonly string[] =>
  left_out.length === 0
    ? []
    : [`Columns that are not imported: ${left_out.join(', ')}. To name their fields, use --map.`]

/** The records that an undo did not change. */
export const undoLines = ({ kept, keptCount }: UndoReport): readonly string[] => [
  ...kept.slice(0, SHOWN).map(({ model, id, name, reason }) => `${name} (${model}, ${id}): ${reason}`),
  ...more(keptCount - Math.min(kept.length, SHOWN), 'records'),
]

const more = (count: number, what: string): readonly string[] => (count > 0 ? [`And ${count} more ${what}.`] : [])
