import { type ViewEntry, views } from '../core/registries.ts'
import { SkeletonForm } from '../ui/skeleton.tsx'

/** The built-in kinds of view, each a chunk that is loaded when it is first needed. */
const LOADERS: Readonly<Record<string, ViewEntry['load']>> = {
  list: () => import('./list/view.tsx'),
  form: () => import('./form/view.tsx'),
  kanban: () => import('./kanban/view.tsx'),
  calendar: () => import('./calendar/view.tsx'),
  gantt: () => import('./gantt/view.tsx'),
  map: () => import('./map/view.tsx'),
  graph: () => import('./graph/view.tsx'),
  // The view of one model: an import is mapped and run on its form.
  'sys.bulk.import/form': () => import('./import/view.tsx'),
}

/** Drawn while the chunk is loading, so part of the first load. */
const SKELETONS: Readonly<Record<string, NonNullable<ViewEntry['Skeleton']>>> = { form: SkeletonForm }

export function registerViews(): void {
  for (const [type, load] of Object.entries(LOADERS)) {
    const Skeleton = SKELETONS[type]
    views.add(type, { load, isLive: true, ...(Skeleton && { Skeleton }) })
  }
}
