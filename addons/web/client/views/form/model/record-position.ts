import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { orderOf } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { findPagerRecords, type PagerRecords, rememberPagerRecords } from '../../../store/pager-records.ts'
import { countRecords, searchRead } from '../../../store/queries.ts'

/** Position of a record in its list, and the ids of its neighbours. */
export interface RecordPosition {
  /** Zero-based. */
  readonly index: number
  /** Null if its place among all records is not known. */
  readonly total: number | null
  readonly previous: number | null
  readonly next: number | null
}

const WINDOW = 80
const MAX_RECORDS = 500

/**
 * Finds the record in the list it was opened from, otherwise among the records of its action. Null if it is in neither.
 */
export async function findPosition(workspace: WireWorkspace, signal: AbortSignal): Promise<RecordPosition | null> {
  const { model, recordId } = workspace
  const walk = findPagerRecords(model, recordId) ?? (await loadPagerRecords(workspace, signal))
  if (!walk) return null
  const known = positionIn(walk, recordId)
  if (
    !known ||
    walk.total === null ||
    ((known.previous !== null) === known.index > 0 && (known.next !== null) === known.index < walk.total - 1)
  )
    return known
  return positionIn(await extendPagerRecords(walk, known.index, signal), recordId)
}

export function positionIn({ ids, offset, total }: PagerRecords, id: number): RecordPosition | null {
  const at = ids.indexOf(id)
  if (at < 0) return null
  return {
    index: offset + at,
    total: total === null ? null : Math.max(total, offset + ids.length),
    previous: ids[at - 1] ?? null,
    next: ids[at + 1] ?? null,
  }
}

/** For a form opened by its address: loads the records of its action in the order of the address. */
async function loadPagerRecords(workspace: WireWorkspace, signal: AbortSignal): Promise<PagerRecords | null> {
  const { model, recordId, domain, searchDomain, listSort } = workspace
  const order = orderOf(listSort)
  const all = [...domain, ...searchDomain]
  const rows = await readIds({ model, domain: all, order }, 0, MAX_RECORDS, signal)
  if (!rows.includes(recordId)) return null
  const isAll = rows.length < MAX_RECORDS
  const total = isAll ? rows.length : await countRecords(services().rpc, model, all, { signal })
  const walk: PagerRecords = { model, ids: rows, offset: 0, total, domain: all, order }
  rememberPagerRecords(walk)
  return walk
}

/** Loads the ids around a record at the edge of the loaded range. */
async function extendPagerRecords(walk: PagerRecords, index: number, signal: AbortSignal): Promise<PagerRecords> {
  const offset = Math.max(0, index - WINDOW / 2)
  const ids = await readIds(walk, offset, WINDOW, signal)
  const wider = { ...walk, ids, offset }
  // If the order changed meanwhile and the record is not in this range, the known range is kept.
  const here = walk.ids[index - walk.offset]
  if (here === undefined || !ids.includes(here)) return walk
  rememberPagerRecords(wider)
  return wider
}

async function readIds(
  { model, domain, order }: Pick<PagerRecords, 'model' | 'domain' | 'order'>,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const rows = await searchRead(services().rpc, model, domain, ['id'], { offset, limit, order, signal })
  return rows.map(({ id }) => id)
}
