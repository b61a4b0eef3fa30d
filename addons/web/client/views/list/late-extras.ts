import { late } from '../../core/late.ts'
import { showError } from '../../ui/toasts.tsx'

type Extras = typeof import('./extras.ts')

/** Asked for as soon as the rows are drawn. */
export const extras = late<Extras>(() => import('./extras.ts'))

/** Does something with them: at once when they are there, else as soon as they are. */
export function withExtras(run: (loaded: Extras) => unknown): void {
  const loaded = extras.value
  if (loaded) run(loaded)
  else extras.want().then(run).catch(showError)
}
