import type { Env } from '../../env.ts'
import { slicesOf } from '../../slices.ts'
import { csvLine } from '../cell/csv-line.ts'
import { guardFormula, unguardFormula } from '../cell/formula-guard.ts'
import type { ImportSheet } from './file/sheet.ts'
import type { Problem } from './record/record.ts'
import type { Refused } from './write/report.ts'

/** Records that are written before other requests get their turn. */
const SLICE = 500

/** What every spreadsheet takes for a number, with or without a sign. */
const NUMBER = /^[-+]?\d[\d.,]*$/

/** A cell of the uploaded file, which may be guarded already; the import reads the same from both. */
const guarded = (cell: string): string => (NUMBER.test(cell) ? cell : guardFormula(unguardFormula(cell)))

/** The rows that were not imported as a CSV file, which can be corrected and imported again, with the reason after each; null if there are none. */
export async function rejectedFile(
  env: Env,
  { headers }: ImportSheet,
  refused: readonly Refused[],
): Promise<Uint8Array | null> {
  if (refused.length === 0) return null
  const lines = [csvLine([...headers, env.t('Reason')].map(guarded))]
  for await (const slice of slicesOf(env, refused, SLICE)) {
    for (const { record, problems } of slice) {
      for (const [index, { cells }] of record.rows.entries()) {
        const filled = headers.map((_header, column) => cells[column] ?? '')
        lines.push(csvLine([...filled, index === 0 ? problems.map(sentence).join(' ') : ''].map(guarded)))
      }
    }
  }
  return new TextEncoder().encode(lines.join(''))
}

const sentence = ({ column, message }: Problem): string => (column === null ? message : `${column}: ${message}`)
