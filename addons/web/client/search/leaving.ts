import { highlightEnd } from '../ui/recent-changes.ts'
import type { Update } from './updates.tsx'

/** Long enough to read who removed a record from the view. */
const NOTE_MS = 4_000

/** Whether a record is no longer in the view. It stays on screen for a moment, so that the user sees why it disappears. */
export const isLeaving = ({ kind }: Pick<Update, 'kind'>): boolean => kind === 'gone' || kind === 'deleted'

/** Calls `end` once after that moment. Returns a function that stops it. */
export function afterNote(end: () => void): () => void {
  const stop = highlightEnd(() => {
    stop()
    end()
  }, NOTE_MS)
  return stop
}
