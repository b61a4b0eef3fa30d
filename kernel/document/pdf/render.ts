import type { DocumentContent } from '../content.ts'
import type { FontSet } from '../font/font-set.ts'
import { layDocument } from '../layout/layout.ts'
import { drawPdf } from './draw.ts'

/** The PDF file of a document. `pause` is called between parts of the work, a few milliseconds each. */
export async function renderPdf(
  fonts: FontSet,
  content: DocumentContent,
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const work = layDocument(fonts, content)
  let step = work.next()
  for (; !step.done; step = work.next()) await pause()
  return drawPdf(fonts, content, step.value, pause)
}
