import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../../core/i18n.ts'
import { explain } from '../../net/errors.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DelayedSkeleton, SkeletonRows } from '../../ui/skeleton.tsx'

export interface TileBodyProps {
  readonly load: {
    readonly isStale: ReadonlySignal<boolean>
    readonly error: ReadonlySignal<unknown>
    reload(): void
  }
  readonly isLoaded: boolean
  readonly isEmpty: boolean
  readonly children: ComponentChildren
}

/** The content of a tile, or instead of it what is wrong, that it is loading, or that there is nothing. */
export function TileBody({ load, isLoaded, isEmpty, children }: TileBodyProps) {
  const isStale = load.isStale.value
  const error = load.error.value
  if (error !== null) return <TileError error={error} onRetry={load.reload} />
  if (!isLoaded) return <TileSkeleton />
  if (isEmpty && !isStale) return <p class="tilenote t3">{t('Nothing to show.')}</p>
  return (
    <div class={classNames('tilebody', isStale && 'stale')} aria-busy={isStale}>
      {children}
    </div>
  )
}

export const TileSkeleton = () => (
  <div class="tilebody" aria-busy="true">
    <DelayedSkeleton>
      <SkeletonRows />
    </DelayedSkeleton>
  </div>
)

export function TileError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { title, text, retry } = explain(error)
  return (
    <div class="tilenote" role="alert">
      <p>
        <b class="med">{title}</b> <span class="t2">{text}</span>
      </p>
      {retry && <Button label={t('Try again')} icon="refresh-cw" size="sm" onClick={onRetry} />}
    </div>
  )
}
