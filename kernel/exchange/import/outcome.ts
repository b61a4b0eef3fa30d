import { displayNameOf } from '../../domain/display-name.ts'
import type { Env } from '../../env.ts'
import { LIMITS } from '../../limits.ts'
import type { Applied } from './apply.ts'
import type { Problem } from './record.ts'
import type { ImportPlan, ImportReport } from './run.ts'

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
  /** What to call the record. */
  readonly name: string
  readonly id?: number
  /** Values of an update that differ. */
  readonly changes?: readonly { readonly column: string; readonly old: string; readonly new: string }[]
  readonly problems?: readonly Problem[]
}

export interface Preview extends Counts {
  readonly rows: readonly PreviewRow[]
}

export const countsOf = ({ applied, refused, skipped }: ImportReport): Counts => ({
  create: applied.filter(({ change }) => change === 'create').length,
  update: applied.filter(({ change }) => change === 'update').length,
  unchanged: applied.filter(({ change }) => change === 'unchanged').length,
  skip: skipped.length,
  error: refused.length,
})

/** All problems in the order of the file, as far as they are stored. */
export const problemsOf = ({ refused }: ImportReport): readonly Problem[] =>
  refused
    .flatMap(({ problems }) => problems)
    .sort((a, b) => a.row - b.row)
    .slice(0, LIMITS.importShownRows)

/** What an import would do: how often, and the first rows of each kind. */
export function previewOf(env: Env, plan: ImportPlan, report: ImportReport): Preview {
  const kept = new Map<keyof Counts, number>()
  const rows: PreviewRow[] = []
  const add = (row: PreviewRow) => {
    const count = (kept.get(row.action) ?? 0) + 1
    kept.set(row.action, count)
    if (count <= LIMITS.importShownRows / 4) rows.push(row)
  }
  for (const applied of report.applied) add(appliedRow(env, plan, applied))
  for (const { record, problems } of report.refused)
    add({
      row: record.rows[0]!.number,
      action: 'error',
      name: nameOf(plan, record.values),
      problems: problems.slice(0, 10),
    })
  for (const record of report.skipped)
    add({ row: record.rows[0]!.number, action: 'skip', name: nameOf(plan, record.values) })
  return { ...countsOf(report), rows: rows.sort((a, b) => a.row - b.row) }
}

function appliedRow(env: Env, plan: ImportPlan, { planned, id, change, before, hasNewLines }: Applied): PreviewRow {
  const [row] = planned.record.rows
  const name = nameOf(plan, planned.record.values)
  if (change !== 'update') return { row: row!.number, action: change, name, ...(change === 'unchanged' && { id }) }
  const changes = plan.columns
    .filter(({ field, line }) => line === null && field !== null && Object.hasOwn(before, field.name))
    .map(({ header, index, field }) => ({
      column: header,
      old: textOf(env, before[field!.name]),
      new: (row!.cells[index] ?? '').slice(0, MAX_CHARS),
    }))
  const lines = hasNewLines
    ? [...planned.record.lines].map(([field, list]) => ({
        column: field,
        old: '',
        new: env.t('{count} lines', { count: list.length }),
      }))
    : []
  return { row: row!.number, action: 'update', name, id, changes: [...changes, ...lines] }
}

const MAX_CHARS = 120

const nameOf = ({ model, columns }: ImportPlan, values: Readonly<Record<string, unknown>>): string => {
  const named = model.displayFields.length > 0 && model.displayFields.some((name) => values[name] != null)
  const other = columns.find(({ field }) => typeof (field && values[field.name]) === 'string')?.field
  return ((named ? displayNameOf(model, values) : other && String(values[other.name])) ?? '').slice(0, MAX_CHARS)
}

/** A stored value as a person reads it. */
function textOf(env: Env, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && typeof value[1] === 'string') return value[1].slice(0, MAX_CHARS)
  if (Array.isArray(value)) return env.t('{count} records', { count: value.length })
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MAX_CHARS)
}
