import { deferred } from '../../../core/deferred.tsx'
import { showError } from '../../../ui/toasts.tsx'

type ListParts = typeof import('../deferred-chunk.ts')

/** Parts of a list for actions of the user, loaded as soon as the rows are drawn. */
export const listParts = deferred<ListParts>(() => import('../deferred-chunk.ts'))

/** Runs at once if the parts are loaded, otherwise as soon as they are. */
export function withListParts(run: (parts: ListParts) => unknown): void {
  const parts = listParts.peek()
  if (parts) run(parts)
  else listParts.load().then(run).catch(showError)
}
