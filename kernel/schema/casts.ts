import { identifier } from '../sql/ddl.ts'
import type { LossClass } from './plan.ts'

export interface Cast {
  readonly loss: LossClass
  /** SQL expression of the new value. */
  readonly using: string
}

type MakeCast = (column: string) => Cast

const plain =
  (type: string, loss: LossClass): MakeCast =>
  (column) => ({ loss, using: `${column}::${type}` })

/** By base types, `from>to`. Any other change of type needs a migration. */
const CASTS: Readonly<Record<string, MakeCast>> = {
  'integer>numeric': plain('numeric', 'rewrite'),
  'integer>text': plain('text', 'rewrite'),
  'numeric>text': plain('text', 'rewrite'),
  'numeric>integer': (column) => ({ loss: 'drops-data', using: `round(${column})::integer` }),
  'boolean>text': plain('text', 'rewrite'),
  'boolean>integer': plain('integer', 'rewrite'),
  'date>text': plain('text', 'rewrite'),
  'date>timestamp with time zone': plain('timestamptz', 'rewrite'),
  'timestamp with time zone>date': plain('date', 'drops-data'),
  'timestamp with time zone>timestamp with time zone': plain('timestamptz', 'rewrite'),
  'text>jsonb': (column) => ({ loss: 'rewrite', using: `to_jsonb(${column})` }),
  'jsonb>text': plain('text', 'rewrite'),
}

const baseOf = (type: string) => type.replace(/\(\d+(,\d+)?\)/, '')

/** How to convert the values of a column to another type; undefined if there is no safe conversion. */
export function castOf(column: string, from: string, to: string): Cast | undefined {
  const quoted = identifier(column).text
  if (baseOf(from) === 'numeric' && baseOf(to) === 'numeric') {
    return { loss: holds(to, from) ? 'rewrite' : 'drops-data', using: `${quoted}::${to}` }
  }
  return CASTS[`${baseOf(from)}>${baseOf(to)}`]?.(quoted)
}

/** Whether every value of the numeric type `small` fits `large` without rounding. */
function holds(large: string, small: string): boolean {
  const [wide, narrow] = [digitsOf(large), digitsOf(small)]
  if (wide === null) return true
  return narrow !== null && wide[1] >= narrow[1] && wide[0] - wide[1] >= narrow[0] - narrow[1]
}

function digitsOf(type: string): readonly [number, number] | null {
  const match = /\((\d+),(\d+)\)/.exec(type)
  return match ? [Number(match[1]), Number(match[2])] : null
}
