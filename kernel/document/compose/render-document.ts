import type { Env } from '../../env.ts'
import type { PaperSize } from '../content.ts'
import { declaredContent, requireDocument } from './declared.ts'
import { type RenderedDocument, renderContent } from './render-content.ts'

/** Which declared document, of which record. */
export interface DocumentRequest {
  readonly model: string
  readonly id: number
  readonly document: string
}

/** A document that an addon declares, as a PDF file. */
export async function renderDocument(
  env: Env,
  { model, id, document }: DocumentRequest,
  paper?: PaperSize,
): Promise<RenderedDocument> {
  const content = await declaredContent(env, requireDocument(env, model, document), id, paper)
  return { name: content.title, file: await renderContent(env, content) }
}

/** Where a browser gets it. */
export const documentAddress = ({ model, id, document }: DocumentRequest): string =>
  `/web/export/pdf?${new URLSearchParams({ model, id: String(id), document })}`
