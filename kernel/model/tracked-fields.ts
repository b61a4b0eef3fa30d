import type { Field } from './fields/field.ts'

/** The fields with `tracking: true`; reports those whose old value is not stored. */
export function trackedFields(fields: ReadonlyMap<string, Field>, report: (problem: string) => void): readonly Field[] {
  const tracked = [...fields.values()].filter((field) => field.tracking)
  for (const field of tracked.filter((one) => !isTrackable(one)))
    report(`${field.addon}: ${field.model}.${field.name} cannot be tracked: it has no stored value that could be shown`)
  return tracked
}

function isTrackable({ column, compute, relation, secret, type }: Field): boolean {
  if (secret || type.comparison === 'opaque') return false
  return column !== null || (relation?.kind === 'many2many' && compute === null)
}
