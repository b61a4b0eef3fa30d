import type { PaperSize } from '../document/content.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import { declaredContent, requireDocument } from './declared.ts'
import {
  type ComposedDocument,
  composed,
  documentSubject,
  type RenderedDocument,
  renderContent,
} from './render-content.ts'

/** Which declared document, of which record. */
export interface DocumentRequest {
  readonly model: string
  readonly id: number
  readonly document: string
}

/** What a document that an addon declares says about a record. */
export async function composeDocument(
  env: Env,
  { model, id, document }: DocumentRequest,
  paper?: PaperSize,
): Promise<ComposedDocument> {
  return composed(env, model, await declaredContent(env, requireDocument(env, model, document), id, paper))
}

/** The document as a PDF file; an empty file in a trial. The transaction stays open, so it waits for its turn only briefly before it is refused. */
export async function renderDocument(env: Env, { name, content }: ComposedDocument): Promise<RenderedDocument> {
  if (env.isTrial && env.services.documents !== undefined) return { name, file: new Uint8Array() }
  const file = await renderContent(env.services, content, {
    subject: documentSubject(env.user),
    waitMs: LIMITS.pdfHeldWaitMs,
    workMs: LIMITS.pdfHeldMs,
  })
  return { name, file }
}

/** The URL of the document. */
export const documentAddress = ({ model, id, document }: DocumentRequest): string =>
  `/web/export/pdf?${new URLSearchParams({ model, id: String(id), document })}`
