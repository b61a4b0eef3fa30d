import { csvLine } from '../cell/csv-line.ts'
import type { Problem } from './record.ts'
import type { Refused } from './run.ts'
import type { Sheet } from './sheet.ts'

/** The rows that were not imported as a CSV file, which can be corrected and imported again, with the reason behind each. */
export function rejectedFile({ headers }: Sheet, refused: readonly Refused[], reasonHeader: string): Uint8Array {
  const lines = [csvLine([...headers, reasonHeader])]
  for (const { record, problems } of refused) {
    for (const [index, { cells }] of record.rows.entries()) {
      const filled = headers.map((_header, column) => cells[column] ?? '')
      lines.push(csvLine([...filled, index === 0 ? problems.map(sentence).join(' ') : '']))
    }
  }
  return new TextEncoder().encode(lines.join(''))
}

const sentence = ({ column, message }: Problem): string => (column === null ? message : `${column}: ${message}`)
