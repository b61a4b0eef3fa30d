import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks'
import { views } from '../core/registries.ts'
import { services } from '../services.ts'
import { classNames } from '../ui/class-names.ts'
import { ErrorState } from '../ui/empty.tsx'
import { DelayedSkeleton, SkeletonRows } from '../ui/skeleton.tsx'
import type { Shown } from './current-view.ts'

/** Draws what the address asks for: skeleton, view, page or error; old content stays, dimmed, while new content is on its way. */
export function ViewHost() {
  const { currentView, router } = services()
  const shown = currentView.shown.value
  const isLoading = currentView.isLoading.value
  const error = currentView.error.value

  useEffect(() => {
    document.title = router.title.value === '' ? 'Modulus' : `${router.title.value} · Modulus`
  }, [router.title.value])
  useLayoutEffect(() => {
    if (isLoading) return
    router.settle()
    // What had the focus is gone with the old view: go on reading at the new one.
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [shown, isLoading])

  return (
    <div class="viewhost" aria-busy={isLoading}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void currentView.reload()} />
      ) : shown === null ? (
        <DelayedSkeleton>
          <SkeletonOf type={router.route.value.params.view_type ?? 'list'} />
        </DelayedSkeleton>
      ) : (
        <div class={classNames('viewhost', isLoading && 'stale')} key={keyOf(shown)}>
          <Content shown={shown} />
        </div>
      )}
    </div>
  )
}

/** A view or a widget that fails while it draws, perhaps an addon's, leaves the rest of the page alone. */
function Content({ shown }: { readonly shown: Shown }) {
  const [error, retry] = useErrorBoundary((failure) => reportError(failure))
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} />
  if (shown.kind === 'page') return <shown.Page route={shown.route} />
  return <shown.View workspace={shown.workspace} route={shown.route} reload={services().currentView.reload} />
}

function SkeletonOf({ type }: { readonly type: string }) {
  const Skeleton = views.get(type)?.Skeleton
  return Skeleton ? <Skeleton /> : <SkeletonRows />
}

/** Another action, model, kind or record is another view; a page of the same list is not. */
function keyOf(shown: Shown): string {
  if (shown.kind === 'page') return shown.route.path
  const { actionId, model, viewType, recordId } = shown.workspace
  return `${actionId}/${model}/${viewType}/${recordId}`
}
