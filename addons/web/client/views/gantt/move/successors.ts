import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { idsOf } from '../../../fields/value/values.ts'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { type RecordEntry, valuesOf } from '../../../store/records.ts'
import type { Change } from '../../plan/reschedule.ts'
import { readSpan, type Span, type SpanFields, shiftSpan, writeSpan } from '../../plan/span.ts'
import { isTooEarly } from '../model/links.ts'

/** Maximum number of records moved along; a longer chain needs several moves. */
const MAX_FOLLOWERS = 500

/**
 * All records that depend on a record, directly or through others, also outside of the window, that must move so that none begins before
 * the ones it depends on end. Durations stay.
 */
export async function findFollowers(
  model: string,
  id: number,
  span: Span,
  fields: SpanFields,
  dependency: WireField,
): Promise<readonly Change[]> {
  const waiting = await loadWaiting(model, id, fields, dependency)
  const spans = new Map<number, Span>([[id, span]])
  const moved = new Map<number, RecordEntry>()
  const due = [id]
  for (let steps = 0; due.length > 0 && steps < MAX_FOLLOWERS * 4; steps++) {
    const before = spans.get(due.shift()!)
    const current = [...spans].find(([, each]) => each === before)?.[0]
    if (!before || current === undefined) continue
    for (const entry of waiting.get(current) ?? []) {
      const own = spans.get(entry.id) ?? readSpan(valuesOf(entry).peek(), fields)
      // Skips the record itself, which stays where the user put it; a cycle would otherwise not end.
      if (!own || entry.id === id || !isTooEarly(before, own)) continue
      spans.set(entry.id, shiftSpan(own, before.end - own.start))
      moved.set(entry.id, entry)
      due.push(entry.id)
    }
  }
  return [...moved].map(([each, entry]) => ({
    entry,
    values: writeSpan(spans.get(each)!, fields, valuesOf(entry).peek()),
  }))
}

/** The records that wait for each record, level by level. */
async function loadWaiting(
  model: string,
  id: number,
  { start, stop }: SpanFields,
  dependency: WireField,
): Promise<ReadonlyMap<number, readonly RecordEntry[]>> {
  const { records, rpc } = services()
  const names = ['display_name', start.name, dependency.name, ...(stop ? [stop.name] : [])]
  const waiting = new Map<number, RecordEntry[]>()
  const known = new Set([id])
  let ids: readonly number[] = [id]
  while (ids.length > 0 && known.size < MAX_FOLLOWERS) {
    const rows = await searchRead(rpc, model, [[dependency.name, 'in', ids]], names, { limit: MAX_FOLLOWERS })
    const level = new Set(ids)
    for (const entry of records.put(model, rows)) {
      for (const before of idsOf(valuesOf(entry).peek()[dependency.name])) {
        if (level.has(before)) waiting.set(before, [...(waiting.get(before) ?? []), entry])
      }
    }
    ids = rows.map((row) => row.id).filter((each) => !known.has(each))
    for (const each of ids) known.add(each)
  }
  return waiting
}
