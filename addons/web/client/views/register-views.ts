import { type Deferred, deferred } from '../core/deferred.tsx'
import { type ViewModule, views } from '../core/registries.ts'
import { SkeletonForm } from '../ui/skeleton.tsx'

/** The built-in kinds of view, each a chunk that is loaded when it is first needed. */
const VIEWS: Readonly<Record<string, Deferred<ViewModule>>> = {
  list: deferred(() => import('./list/view.tsx')),
  form: deferred(() => import('./form/view.tsx')),
  kanban: deferred(() => import('./kanban/view.tsx')),
  calendar: deferred(() => import('./calendar/view.tsx')),
  gantt: deferred(() => import('./gantt/view.tsx')),
  map: deferred(() => import('./map/view.tsx')),
  graph: deferred(() => import('./graph/view.tsx')),
  pivot: deferred(() => import('./pivot/view.tsx')),
  cohort: deferred(() => import('./cohort/view.tsx')),
  // Views of one model: an import is mapped and run on its form, and that of a dashboard shows its tiles.
  'sys.bulk.import/form': deferred(() => import('./import/view.tsx')),
  'sys.dashboard/form': deferred(() => import('./dashboard/view.tsx')),
}

/** The skeleton of the form is drawn while its chunk is loading, so it is part of the first load. */
export function registerViews(): void {
  for (const [type, { load }] of Object.entries(VIEWS)) {
    views.add(type, { load, isLive: true, ...(type === 'form' && { Skeleton: SkeletonForm }) })
  }
}
