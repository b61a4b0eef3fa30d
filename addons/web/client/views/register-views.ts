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
  pivot: () => import('./pivot/view.tsx'),
  cohort: () => import('./cohort/view.tsx'),
  // Views of one model: an import is mapped and run on its form, and that of a dashboard shows its tiles.
  'sys.bulk.import/form': () => import('./import/view.tsx'),
  'sys.dashboard/form': () => import('./dashboard/view.tsx'),
}

/** The skeleton of the form is drawn while its chunk is loading, so it is part of the first load. */
export function registerViews(): void {
  for (const [type, load] of Object.entries(LOADERS)) {
    views.add(type, { load, isLive: true, ...(type === 'form' && { Skeleton: SkeletonForm }) })
  }
}
