import { ErrorState } from '../../ui/empty.tsx'
import { DelayedSkeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import type { Asked } from './use-asked.ts'

/** Placeholder of a page until its first answer. */
export const LoadState = ({ asked }: { readonly asked: Asked<unknown> }) =>
  asked.error === null ? (
    <DelayedSkeleton>
      <SkeletonRows />
    </DelayedSkeleton>
  ) : (
    <ErrorState error={asked.error} onRetry={asked.reload} />
  )
