import { callerLeft } from '../../errors.ts'
import type { DocumentRenderer } from '../content.ts'
import { type FontFiles, FontSet } from '../font/font-set.ts'
import { renderPdf } from './render.ts'

/** A renderer for hosts without threads: it works in slices, and `pause` lets others have their turn between them. */
export function renderInProcess(loadFonts: () => Promise<FontFiles>, pause: () => Promise<void>): DocumentRenderer {
  let opened: Promise<FontSet> | undefined
  return {
    async render(content, { signal }) {
      opened ??= loadFonts().then((files) => new FontSet(files))
      const turn = async () => {
        await pause()
        if (signal?.aborted) throw callerLeft()
      }
      return renderPdf(await opened, content, turn)
    },
  }
}
