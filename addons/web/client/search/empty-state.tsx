import { deferredParts } from '../core/deferred-parts.ts'
import type { NoRecordsProps } from './no-records.tsx'

/** Empty state of a view. Its code is deferred, so it appears shortly after the page. */
export function EmptyState(props: NoRecordsProps) {
  const NoRecords = deferredParts.value?.NoRecords
  return NoRecords ? <NoRecords {...props} /> : null
}
