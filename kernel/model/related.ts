import type { AnyFieldDef, FieldCompute, NeedRecord } from './field.ts'

/** A related field is a compute whose one need is its path. */
export function relatedCompute({ options }: AnyFieldDef): FieldCompute | null {
  if (options.related === undefined) return null
  const path = options.related.split('.')
  return {
    stored: options.compute === 'stored',
    needs: [options.related],
    run: (_env, rows) => new Map(rows.map((row) => [row.id, follow(row, path)])),
    inverse: null,
    search: null,
  }
}

/** The value at the end of a path over many2one steps, null where a step is unset. */
function follow(row: NeedRecord, path: readonly string[]): unknown {
  let value: unknown = row
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return null
    value = (value as NeedRecord)[step] ?? null
  }
  return value
}
