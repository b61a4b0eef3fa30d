import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { explain } from '../../../net/errors.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { DelayedSkeleton, SkeletonRows } from '../../../ui/skeleton.tsx'

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
  // Figures of an older question would stay under the name of the new one for as long as nobody answers.
  if (isStale && !services().session.online.value) return <Waiting />
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

const Waiting = () => <p class="tilenote t3">{t('Waiting for the connection.')}</p>

/** Without a connection it waits for it, and loads by itself when it is back. */
export function TileError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { title, text, retry } = explain(error)
  const isOnline = services().session.online.value
  const wasOnline = useRef(isOnline)
  useEffect(() => {
    if (isOnline && !wasOnline.current) onRetry()
    wasOnline.current = isOnline
  }, [isOnline])
  if (!isOnline) return <Waiting />
  return (
    <div class="tilenote" role="alert">
      <p>
        <b class="med">{title}</b> <span class="t2">{text}</span>
      </p>
      {retry && <Button label={t('Try again')} icon="refresh-cw" size="sm" onClick={onRetry} />}
    </div>
  )
}
