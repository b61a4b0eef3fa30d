import type { Env } from '../../env.ts'
import { unavailable } from '../../errors.ts'
import type { DocumentContent } from '../content.ts'

/** A finished file, with its name without an ending. */
export interface RenderedDocument {
  readonly name: string
  readonly file: Uint8Array
}

export async function renderContent({ services }: Env, content: DocumentContent): Promise<Uint8Array> {
  if (services.documents === undefined) throw unavailable('host_lacks', 'PDF files are not made on this host.')
  const file = await services.documents.render(content)
  if (file === null) throw unavailable('busy', 'Too many documents are being made. Try again in a moment.', 5)
  return file
}
