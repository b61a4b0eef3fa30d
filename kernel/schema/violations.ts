import type { Registry } from '../model/registry.ts'
import type { ConstraintNamer, NamedViolation } from '../sql.ts'
import { desiredSchema } from './columns.ts'

/** Names broken constraints and missing values by field, in words of the model; for `translatePgError`. */
export function constraintNamer(registry: Registry): ConstraintNamer {
  return ({ kind, table, constraint, column }) => {
    const spec = table === undefined ? undefined : desiredSchema(registry, { trigrams: false }).get(table)
    if (spec === undefined) return undefined
    if (kind === 'required' && column !== undefined) {
      const field = spec.columns.get(column)?.field
      return field ? { field: field.name, message: `${field.label} is required.` } : undefined
    }
    const broken = constraint === undefined ? undefined : spec.constraints.get(constraint)
    return broken && named(broken.field, broken.message)
  }
}

const named = (field: string | null, message: string | null): NamedViolation => ({
  ...(field !== null && { field }),
  ...(message !== null && { message }),
})
