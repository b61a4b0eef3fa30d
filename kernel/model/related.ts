import type { AnyFieldDef, Field, FieldCompute, NeedRecord } from './fields/field.ts'
import type { Model } from './registry.ts'

/** A related field is compiled to a compute whose only need is its path. */
export function relatedCompute({ options }: AnyFieldDef): FieldCompute | null {
  if (options.related === undefined) return null
  const path = options.related.split('.')
  return {
    stored: options.compute === 'stored',
    needs: [options.related],
    sudo: false,
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

type Fields = Pick<Model, 'fields'>

/** The problem of the path of a field, or null. Whether the path exists is checked together with all other needs. */
export function relatedProblem(models: ReadonlyMap<string, Fields>, model: Fields, field: Field): string | null {
  const path = field.related ?? []
  const shows = `shows ${path.join('.')}`
  let at: Fields | undefined = model
  for (const [index, name] of path.entries()) {
    const step: Field | undefined = at?.fields.get(name)
    if (step === undefined) return null
    if (index === path.length - 1) return isSameKind(step, field) ? null : `${shows}, which is another kind of field`
    if (step.relation?.kind !== 'many2one') return `${shows}, but ${name} is no many2one`
    at = models.get(step.relation.target)
  }
  return null
}

const isSameKind = (a: Field, b: Field) =>
  a.type.comparison === b.type.comparison && a.relation?.target === b.relation?.target
