import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks'
import { views } from '../core/registries.ts'
import { changeRoute, formatRoute } from '../router/codec.ts'
import type { Router } from '../router/router.ts'
import { services } from '../services.ts'
import { classNames } from '../ui/class-names.ts'
import { ErrorState } from '../ui/empty.tsx'
import { DelayedSkeleton, SkeletonRows } from '../ui/skeleton.tsx'
import type { Shown } from './current-view.ts'

/** Draws the current address: skeleton, view, page or error. Old content stays, dimmed, while new content is loading. */
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
    // The focused element is gone with the old view, so the new one takes the focus.
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [shown, isLoading])

  return (
    <div class="viewhost" aria-busy={isLoading}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void currentView.reload()} back={wayBack(router)} />
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

/** From a record that cannot be opened: where the user came from, or else the list of its model. */
function wayBack({ route, trail }: Router): string | undefined {
  if (route.value.params.id === undefined) return undefined
  return trail.value.at(-1)?.href ?? formatRoute(changeRoute(route.value, { id: undefined, view_type: undefined }))
}

/** An error boundary: a view or widget that throws, perhaps one of an addon, does not break the rest of the page. */
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

/** Key of a view: another action, model, kind or record is another view; another page of the same list is not. */
function keyOf(shown: Shown): string {
  if (shown.kind === 'page') return shown.route.path
  const { actionId, model, viewType, recordId } = shown.workspace
  return `${actionId}/${model}/${viewType}/${recordId}`
}
