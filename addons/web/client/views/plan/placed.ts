import { computed, type ReadonlySignal } from '@preact/signals'
import { type RecordEntry, type Values, valuesOf } from '../../store/records.ts'
import type { RecordSet } from '../shared/record-set.ts'
import { readSpan, type Span, type SpanFields, sameSpan } from './span.ts'

/** A record and when it happens. */
export interface Placed {
  readonly id: number
  readonly span: Span
}

/** When each record happens; the same object until that changes, so that a change of other values causes no new layout. */
export function createPlaces(
  set: RecordSet,
  fields: SpanFields | null,
  isHidden: (values: Values) => boolean = () => false,
): (id: number) => ReadonlySignal<Placed | null> {
  const known = new Map<number, { readonly entry: RecordEntry; readonly place: ReadonlySignal<Placed | null> }>()
  return (id) => {
    const entry = set.entryOf(id)
    const before = known.get(id)
    if (before?.entry === entry) return before.place
    let last: Placed | null = null
    const place = computed(() => {
      const values = valuesOf(entry).value
      const span = fields && !entry.deleted.value && !isHidden(values) ? readSpan(values, fields) : null
      if (!span) last = null
      else if (!last || !sameSpan(last.span, span)) last = { id, span }
      return last
    })
    known.set(id, { entry, place })
    return place
  }
}
