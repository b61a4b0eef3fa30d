import { deferredParts } from '../core/deferred-parts.ts'
import type { NoRecordsProps } from './no-records.tsx'

/** A view without records says so, a moment after the page is there. */
export function EmptyState(props: NoRecordsProps) {
  const NoRecords = deferredParts.value?.NoRecords
  return NoRecords ? <NoRecords {...props} /> : null
}
