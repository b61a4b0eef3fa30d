import { literal } from '../sql/ddl.ts'
import type { ColumnSpec } from './spec.ts'

/** SQL of the value for existing rows in a new column: the field's default, unless it is a function. */
export function staticDefault({ field, type }: ColumnSpec): string | null {
  const declared = field?.default
  if (field === null || declared === undefined || declared === null || typeof declared === 'function') return null
  const value = field.type.parse(declared, field)
  if (value === null || value === undefined) return null
  if (type === 'bytea') return `decode(${literal(String(value)).text}, 'base64')`
  if (type === 'jsonb' || typeof value === 'object') return `${literal(JSON.stringify(value)).text}::${type}`
  return `${literal(typeof value === 'number' || typeof value === 'boolean' ? value : String(value)).text}::${type}`
}
