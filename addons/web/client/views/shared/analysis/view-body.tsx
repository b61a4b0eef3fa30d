import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import type { Route } from '../../../router/codec.ts'
import { EmptyState } from '../../../search/empty-state.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/empty.tsx'
import { DelayedSkeleton, SkeletonRows } from '../../../ui/skeleton.tsx'

export interface ViewBodyProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly load: {
    readonly isStale: ReadonlySignal<boolean>
    readonly error: ReadonlySignal<unknown>
    reload(): void
  }
  /** Whether there is something to show, also while it is loaded again. */
  readonly isLoaded: boolean
  readonly isEmpty: boolean
  readonly groupFallback?: string
  readonly skeleton?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

/** The content of a view, or instead of it the error, the skeleton or the empty state. What is being replaced is dimmed. */
export function ViewBody({ workspace, route, load, isLoaded, isEmpty, groupFallback = '', ...rest }: ViewBodyProps) {
  const isStale = load.isStale.value
  const error = load.error.value
  if (error !== null) return <ErrorState error={error} onRetry={load.reload} />
  if (!isLoaded) return <DelayedSkeleton>{rest.skeleton ?? <SkeletonRows />}</DelayedSkeleton>
  if (isEmpty && !isStale) return <EmptyState workspace={workspace} route={route} groupFallback={groupFallback} />
  return (
    <div class={classNames('scroll', rest.class, isStale && 'stale')} aria-busy={isStale} data-scroll="view">
      {rest.children}
    </div>
  )
}
