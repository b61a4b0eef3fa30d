import { useSignalEffect } from '@preact/signals'
import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { rememberPagerRecords } from '../../store/pager-records.ts'
import type { RecordSet } from '../shared/record-set.ts'

/** Remembers the records on screen for previous and next in the form. */
export function usePagerIds(set: RecordSet, model: string, domain: WireDomain): void {
  useSignalEffect(() => {
    const ids = set.ids.value
    if (ids.length > 0) rememberPagerRecords({ model, ids, offset: 0, total: ids.length, domain, order: '' })
  })
}
