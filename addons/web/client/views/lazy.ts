import { type ViewEntry, views } from '../core/registries.ts'

/** The kinds of view of the program, each a chunk that comes when it is first needed: `list: () => import('./list/view.tsx')`. */
const LOADERS: Readonly<Record<string, ViewEntry['load']>> = {}

export function registerViews(): void {
  for (const [type, load] of Object.entries(LOADERS)) views.add(type, { load })
}
