import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentContent } from '../../../kernel/document/content.ts'
import { openFace } from '../../../kernel/document/font/font-set.ts'
import { checkedRenderer } from '../../../kernel/document/pdf/checked-renderer.ts'
import { documentFonts } from '../../fonts.ts'

/** Data with which the thread is started. */
export interface ThreadData {
  /** Paths of font files. */
  readonly fonts: readonly string[]
}

export type ThreadAnswer =
  | { readonly kind: 'done'; readonly file: Uint8Array }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'warning'; readonly text: string }

const answer = (message: ThreadAnswer): void => parentPort!.postMessage(message)

const { fonts: paths } = workerData as ThreadData
const fallback = paths.map((path) => readFileSync(path))
for (const [i, path] of paths.entries()) {
  if (openFace(fallback[i]!) === null)
    answer({ kind: 'warning', text: `pdf_fonts: ${path} is no font that can be used (TrueType or OpenType).` })
}
const render = checkedRenderer({ ...documentFonts, fallback }, (place) =>
  answer({ kind: 'warning', text: `pdf_fonts: ${paths[place]} is damaged and no longer used.` }),
)
const goOn = () => Promise.resolve()

parentPort!.on('message', async (content: DocumentContent) => {
  try {
    answer({ kind: 'done', file: await render(content, goOn) })
  } catch (error) {
    answer({ kind: 'failed', error })
  }
})
