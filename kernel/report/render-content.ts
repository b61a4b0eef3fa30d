import type { DocumentContent, RenderOptions } from '../document/content.ts'
import type { Env } from '../env.ts'
import { unavailable } from '../errors.ts'
import type { Services } from '../services.ts'

/** A document that needs no database any more, and its name as a file, without an ending. */
export interface ComposedDocument {
  readonly name: string
  readonly content: DocumentContent
}

/** A finished file, with its name without an ending. */
export interface RenderedDocument {
  readonly name: string
  readonly file: Uint8Array
}

/** Named after its title, or after the model if the title has no letter, digit or sign. */
export const composed = (env: Env, model: string, content: DocumentContent): ComposedDocument => ({
  name: /[\p{L}\p{N}\p{P}\p{S}]/u.test(content.title)
    ? content.title
    : env.t(env.registry.model(model)?.label ?? model),
  content,
})

/** The file of a document. Call it without an open transaction if possible, since it may take long. */
export async function renderContent(
  { documents }: Services,
  content: DocumentContent,
  options: RenderOptions,
): Promise<Uint8Array> {
  if (documents === undefined) throw unavailable('host_lacks', 'PDF files are not made on this host.')
  const file = await documents.render(content, options)
  if (file === null) throw unavailable('busy', 'Too many documents are being made. Try again in a moment.', 5)
  return file
}

/** The subject of a user in the queue of documents. */
export const documentSubject = ({ id }: Env['user']): string => `u:${id}`
