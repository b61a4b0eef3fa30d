import { effect } from '@preact/signals'
import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'

/** A search together with the workspace that the server made for it. */
export interface LoadedSearch {
  readonly workspace: WireWorkspace
  readonly route: Route
}

/** The search of the view as soon as no newer one is loading, so that the requested search is saved and not the one still on screen. */
export const loadedSearch = (): Promise<LoadedSearch> =>
  new Promise((resolve) => {
    const { currentView } = services()
    const stop = effect(() => {
      const shown = currentView.shown.value
      if (currentView.isLoading.value || shown?.kind !== 'view') return
      resolve(shown)
      // Later, since the first run happens before `effect` has returned `stop`.
      queueMicrotask(() => stop())
    })
  })
