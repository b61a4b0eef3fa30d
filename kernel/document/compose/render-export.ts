import type { Env } from '../../env.ts'
import { unavailable } from '../../errors.ts'
import type { DocumentContent } from '../content.ts'
import { listReport, type ReportParams } from './list-report.ts'
import { recordSheet } from './record-sheet.ts'

/** A finished file, with its name without an ending. */
export interface RenderedDocument {
  readonly name: string
  readonly file: Uint8Array
}

/** The list that was asked for as a report; with `id` the sheet of that record. */
export async function renderExport(env: Env, params: ReportParams): Promise<RenderedDocument> {
  const { id } = params
  const content = id === undefined ? await listReport(env, params) : await recordSheet(env, { ...params, id })
  return { name: content.title, file: await renderContent(env, content) }
}

export async function renderContent({ services }: Env, content: DocumentContent): Promise<Uint8Array> {
  if (services.documents === undefined) throw unavailable('host_lacks', 'PDF files are not made on this host.')
  const file = await services.documents.render(content)
  if (file === null) throw unavailable('busy', 'Too many documents are being made. Try again in a moment.', 5)
  return file
}
