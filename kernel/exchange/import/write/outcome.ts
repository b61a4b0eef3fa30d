import { headOf } from '../../../domain/cut-text.ts'
import { displayNameOf } from '../../../domain/display-name.ts'
import type { Env } from '../../../env.ts'
import { LIMITS } from '../../../limits.ts'
import { storedNames } from '../../../orm/statement/translations.ts'
import { LIGHT_SLICE, slicesOf } from '../../../slices.ts'
import type { ImportRecord, Problem } from '../record/record.ts'
import type { Applied } from './apply.ts'
import type { ImportPlan, ImportReport } from './report.ts'
import { valuesToSettle } from './settle.ts'
import type { ValueToSettle } from './value-to-settle.ts'

export interface Counts {
  readonly create: number
  readonly update: number
  readonly unchanged: number
  readonly skip: number
  readonly error: number
}

/** A row of a dry run. */
export interface PreviewRow {
  readonly row: number
  readonly action: keyof Counts
  /** A name for the record. */
  readonly name: string
  readonly id?: number
  /** Values of an update that differ. */
  readonly changes?: readonly { readonly column: string; readonly old: string; readonly new: string }[]
  readonly problems?: readonly Problem[]
}

export interface Preview extends Counts {
  readonly rows: readonly PreviewRow[]
  /** Texts in cells that match no record or several, and texts for which the user has already chosen a record. */
  readonly values: readonly ValueToSettle[]
}

export const countsOf = ({ applied, refused, skipped }: ImportReport): Counts => ({
  create: applied.filter(({ change }) => change === 'create').length,
  update: applied.filter(({ change }) => change === 'update').length,
  unchanged: applied.filter(({ change }) => change === 'unchanged').length,
  skip: skipped.length,
  error: refused.length,
})

/** The problems that are stored, in the order of the file. */
export const shownProblems = ({ refused }: ImportReport): readonly Problem[] =>
  refused
    .slice(0, LIMITS.importShownRows)
    .flatMap(({ problems }) => problems)
    .slice(0, LIMITS.importShownRows)

/** What an import would do: counts, and the first rows of each kind. */
export async function previewOf(env: Env, plan: ImportPlan, report: ImportReport): Promise<Preview> {
  const kept = new Map<keyof Counts, number>()
  const rows: PreviewRow[] = []
  const add = (action: keyof Counts, make: () => Omit<PreviewRow, 'action'>) => {
    const count = (kept.get(action) ?? 0) + 1
    kept.set(action, count)
    if (count <= LIMITS.importShownRows / 4) rows.push({ action, ...make() })
  }
  const named = ({ rows: [row], values }: ImportRecord) => ({ row: row!.number, name: nameOf(env, plan, values) })
  for await (const slice of slicesOf(env, report.applied, LIGHT_SLICE))
    for (const applied of slice)
      add(applied.change, () => ({ ...named(applied.planned.record), ...changesOf(env, plan, applied) }))
  for (const { record, problems } of report.refused)
    add('error', () => ({ ...named(record), problems: problems.slice(0, 10) }))
  for (const record of report.skipped) add('skip', () => named(record))
  return {
    ...countsOf(report),
    rows: rows.sort((a, b) => a.row - b.row),
    values: await valuesToSettle(env, plan, report),
  }
}

/** Which record it is, and what an update changes of it. */
function changesOf(env: Env, plan: ImportPlan, { planned, id, change, before, hasNewLines }: Applied) {
  if (change === 'create') return {}
  if (change === 'unchanged') return { id }
  const [row] = planned.record.rows
  const stored = storedNames(env, plan.model, planned.record.values)
  const changes = plan.columns.flatMap(({ header, index, field, line }) => {
    const name = line === null && field !== null ? (stored.get(field.name) ?? field.name) : null
    if (name === null || !Object.hasOwn(before, name)) return []
    return [{ column: header, old: textOf(env, before[name]), new: headOf(row!.cells[index] ?? '', MAX_CHARS) }]
  })
  const lines = hasNewLines
    ? [...planned.record.lines].map(([field, list]) => ({
        column: field,
        old: '',
        new: env.t('{count} lines', { count: list.length }),
      }))
    : []
  return { id, changes: [...changes, ...lines] }
}

const MAX_CHARS = 120

const nameOf = (env: Env, { model, columns }: ImportPlan, values: Readonly<Record<string, unknown>>): string => {
  const named = model.displayFields.length > 0 && model.displayFields.some((name) => values[name] != null)
  const other = columns.find(({ field }) => typeof (field && values[field.name]) === 'string')?.field
  return headOf((named ? displayNameOf(model, values, env) : other && String(values[other.name])) ?? '', MAX_CHARS)
}

/** A stored value as text for the user. */
function textOf(env: Env, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && typeof value[1] === 'string') return headOf(value[1], MAX_CHARS)
  if (Array.isArray(value)) return env.t('{count} records', { count: value.length })
  return headOf(typeof value === 'object' ? JSON.stringify(value) : String(value), MAX_CHARS)
}
