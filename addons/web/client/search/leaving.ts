import { highlightEnd } from '../ui/recent-changes.ts'
import type { Update } from './updates.tsx'

/** Long enough to read who took a record away. */
const NOTE_MS = 4_000

/** Whether a record is no longer in the view. It stays for a moment all the same: nothing vanishes before somebody can see why. */
export const isLeaving = ({ kind }: Pick<Update, 'kind'>): boolean => kind === 'gone' || kind === 'deleted'

/** Calls `end` once after that moment. Returns a function that stops it. */
export function afterNote(end: () => void): () => void {
  const stop = highlightEnd(() => {
    stop()
    end()
  }, NOTE_MS)
  return stop
}
