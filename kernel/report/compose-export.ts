import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { listReport, type ReportParams } from './list-report.ts'
import { recordSheet } from './record-sheet.ts'
import { type ComposedDocument, composed } from './render-content.ts'

/** The list that was asked for as a report; with `id` the sheet of that record. */
export async function composeExport(
  env: Env,
  params: ReportParams,
): Promise<ComposedDocument & { readonly rows: number }> {
  const { id, model } = params
  const [most, what] = id === undefined ? [LIMITS.pdfColumns, 'columns'] : [LIMITS.pdfFields, 'fields']
  if (params.fields.length > most) throw badRequest('limit_exceeded', `A PDF file has at most ${most} ${what}.`)
  const content = id === undefined ? await listReport(env, params) : await recordSheet(env, { ...params, id })
  const rows = content.blocks.reduce((count, block) => count + (block.kind === 'table' ? block.rows.length : 0), 0)
  return { ...composed(env, model, content), rows }
}
