import { type ViewEntry, views } from '../core/registries.ts'
import { SkeletonForm } from '../ui/skeleton.tsx'

/** The kinds of view of the program, each a chunk that comes when it is first needed: `list: () => import('./list/view.tsx')`. */
const LOADERS: Readonly<Record<string, ViewEntry['load']>> = {
  list: () => import('./list/view.tsx'),
  form: () => import('./form/view.tsx'),
  kanban: () => import('./kanban/view.tsx'),
}

/** Drawn while the chunk is on its way, so part of the first load. */
const SKELETONS: Readonly<Record<string, NonNullable<ViewEntry['Skeleton']>>> = { form: SkeletonForm }

export function registerViews(): void {
  for (const [type, load] of Object.entries(LOADERS)) {
    const Skeleton = SKELETONS[type]
    views.add(type, { load, ...(Skeleton && { Skeleton }) })
  }
}
