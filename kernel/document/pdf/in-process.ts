import { callerLeft } from '../../errors.ts'
import type { DocumentRenderer } from '../content.ts'
import type { FontFiles } from '../font/font-set.ts'
import { checkedRenderer } from './checked-renderer.ts'

/** A renderer for hosts without threads: it works in slices, and `pause` gives other requests their turn between them. */
export function renderInProcess(loadFonts: () => Promise<FontFiles>, pause: () => Promise<void>): DocumentRenderer {
  let opened: Promise<ReturnType<typeof checkedRenderer>> | undefined
  return {
    async render(content, { signal }) {
      opened ??= loadFonts().then((files) => checkedRenderer(files, () => {}))
      const turn = async () => {
        await pause()
        if (signal?.aborted) throw callerLeft()
      }
      return (await opened)(content, turn)
    },
  }
}
