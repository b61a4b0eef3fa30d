import { audit } from '../../audit.ts'
import type { Env } from '../../env.ts'
import { type AppError, badRequest, refusal } from '../../errors.ts'
import { parseJsonParam } from '../../http/json.ts'
import { undoable } from '../../work/undoable.ts'
import { reporter } from '../export/progress.ts'
import { type ImportBatch, importTarget, lockBatch, readFile, requireOpen, saveBatch, saveRejected } from './batch.ts'
import { mappedColumns, parseMapping } from './column/column.ts'
import { withListDefaults } from './column/list-defaults.ts'
import { guessFormats } from './guess/samples.ts'
import type { Problem } from './record/record.ts'
import { rejectedFile } from './rejected-file.ts'
import { keepForUndo } from './undo.ts'
import { countsOf, type Preview, previewOf, shownProblems } from './write/outcome.ts'
import type { ImportPlan, ImportReport } from './write/report.ts'
import { runImport } from './write/run.ts'

/** What a caller sends with a confirmation; missing options are taken from the batch. */
export interface ConfirmOptions {
  /** JSON text or an object. */
  readonly column_mapping?: unknown
  readonly skip_invalid?: unknown
}

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly skipped: number
  /** How many of the skipped records already had all the values. Like `refused`, 0 if the batch was imported before. */
  readonly unchanged: number
  readonly refused: number
  readonly next: string | null
  readonly model: string
}

/** Problems in an answer; all of them are stored with the batch. */
export const ANSWERED_PROBLEMS = 50

/** Thrown to undo what a dry run or a refused import wrote. */
class Undo extends Error {}

/**
 * Imports a batch: everything or, if rows are refused and may not be skipped, nothing. In that case the error is returned, and mapping
 * and problems are stored with the batch. A finished batch that is confirmed again gives its first result.
 */
export async function confirmImport(
  env: Env,
  id: number,
  options: ConfirmOptions,
  onProgress: ReportProgress = progressOf(env, id),
): Promise<ImportResult | AppError> {
  const batch = await lockBatch(env, id)
  if (batch.state === 'done') return resultOf(batch)
  requireOpen(env, batch)
  const isSkipping = isYes(options.skip_invalid)
  const plan = await planOf(env, batch, options)
  const { report, isKept } = await attempt(env, onProgress, plan, (found) => found.refused.length === 0 || isSkipping)
  const common = await saveAttempt(env, id, plan, report, options)
  if (!isKept) {
    await saveBatch(env, id, { ...common, state: 'mapped' })
    return rowsInvalid(env, report)
  }
  const counts = countsOf(report)
  const [created_count, updated_count] = [counts.create, counts.update]
  const skipped_count = counts.skip + counts.error + counts.unchanged
  await keepForUndo(env, id, plan.model, report)
  await saveBatch(env, id, {
    ...common,
    state: 'done',
    file: null,
    created_count,
    updated_count,
    skipped_count,
    skip_invalid: isSkipping,
  })
  await audit(env, [
    {
      kind: 'imported',
      subject: batch.model,
      detail: `created ${created_count}, updated ${updated_count}, skipped ${skipped_count}`,
    },
  ])
  env.emit(
    'import.progress',
    { id, done: report.applied.length, total: report.applied.length, state: 'done' },
    { userId: env.user.id },
  )
  const { unchanged, error: refused } = counts
  return { ...resultOf({ ...batch, created_count, updated_count, skipped_count }), unchanged, refused }
}

/** Imports a batch, notes what that would change, and undoes it. */
export async function tryImport(
  env: Env,
  id: number,
  options: ConfirmOptions,
  onProgress: ReportProgress = progressOf(env, id),
): Promise<{ readonly preview: Preview; readonly problems: readonly Problem[] }> {
  const batch = await lockBatch(env, id)
  requireOpen(env, batch)
  const plan = await planOf(env, batch, options)
  const { report } = await attempt(env, onProgress, plan, () => false)
  const common = await saveAttempt(env, id, plan, report, options)
  const preview = await previewOf(env, plan, report)
  await saveBatch(env, id, { ...common, state: 'mapped', preview })
  return { preview, problems: common.problems }
}

export async function cancelImport(env: Env, id: number): Promise<ImportBatch> {
  const batch = await lockBatch(env, id)
  if (batch.state === 'cancelled') return batch
  requireOpen(env, batch)
  await saveBatch(env, id, { state: 'cancelled', file: null, preview: null })
  await saveRejected(env, id, null)
  return batch
}

async function planOf(env: Env, batch: ImportBatch, { column_mapping }: ConfirmOptions): Promise<ImportPlan> {
  const model = importTarget(env, batch.model)
  const given = isGiven(column_mapping) ? column_mapping : (batch.column_mapping ?? {})
  const mapping = parseMapping(env, typeof given === 'string' ? parseJsonParam('column_mapping', given) : given)
  const sheet = await readFile(env, batch)
  const columns = guessFormats(env, sheet, mappedColumns(env, model, sheet.headers, mapping))
  const known = batch.with_defaults ? batch.defaults : []
  return { model: await withListDefaults(env, model, known, columns), mode: batch.import_mode, columns, sheet }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Runs an import and rolls it back unless `isWanted` accepts the report. */
async function attempt(
  env: Env,
  onProgress: ReportProgress,
  plan: ImportPlan,
  isWanted: (report: ImportReport) => boolean,
): Promise<{ readonly report: ImportReport; readonly isKept: boolean }> {
  let report: ImportReport | undefined
  try {
    await undoable(env, async () => {
      report = await runImport(env, plan, onProgress)
      if (!isWanted(report)) throw new Undo()
    })
    return { report: report!, isKept: true }
  } catch (error) {
    if (!(error instanceof Undo)) throw error
    return { report: report!, isKept: false }
  }
}

/** Stores the rejected rows of an attempt as a file and returns the other values to store. */
async function saveAttempt(
  env: Env,
  id: number,
  { sheet }: ImportPlan,
  report: ImportReport,
  { column_mapping }: ConfirmOptions,
) {
  await saveRejected(env, id, await rejectedFile(env, sheet, report.refused))
  const mapping = isGiven(column_mapping)
    ? {
        column_mapping:
          typeof column_mapping === 'string' ? parseJsonParam('column_mapping', column_mapping) : column_mapping,
      }
    : {}
  return { ...mapping, problems: shownProblems(report) }
}

function rowsInvalid(env: Env, report: ImportReport): AppError {
  const count = report.refused.length
  const message =
    count === 1
      ? env.t('1 row cannot be imported. Nothing was imported.')
      : env.t('{count} rows cannot be imported. Nothing was imported.', { count })
  return refusal('VALIDATION', 'rows_invalid', message, {
    rows: shownProblems(report).slice(0, ANSWERED_PROBLEMS),
    count,
  })
}

const resultOf = ({ created_count, updated_count, skipped_count, next, model }: ImportBatch): ImportResult => ({
  created: created_count,
  updated: updated_count,
  skipped: skipped_count,
  unchanged: 0,
  refused: 0,
  next,
  model,
})

const NO: readonly unknown[] = ['', '0', 0, false, 'false']
const YES: readonly unknown[] = ['1', 1, true, 'true']

/** `1` in forms and texts, true in JSON. */
function isYes(value: unknown): boolean {
  if (value === undefined || value === null || NO.includes(value)) return false
  if (YES.includes(value)) return true
  throw badRequest('input_invalid', 'skip_invalid must be 1 or 0.')
}

/** Reports how many rows of an import are done. */
type ReportProgress = (done: number, total: number) => void

/** Reports progress to the owner's screens with `import.progress` events. */
function progressOf({ services, user }: Env, id: number): ReportProgress {
  const report = reporter(services, user.id, 'import.progress')
  return (done, total) => report({ id, done, total, state: 'running' })
}
