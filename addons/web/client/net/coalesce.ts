import { CallError } from './errors.ts'
import type { Row } from './rpc.ts'

type ReadNow = (
  model: string,
  ids: readonly number[],
  fields: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly Row[]>

interface Waiting {
  readonly ids: readonly number[]
  resolve(rows: readonly Row[]): void
  reject(error: unknown): void
}

interface Batch {
  readonly model: string
  readonly fields: readonly string[]
  readonly waiting: Waiting[]
}

/** Maximum number of ids per call. */
const MAX_IDS = 1_000

/** Reads of the same fields requested in one turn of the event loop become one call. */
export function createCoalescedRead(readNow: ReadNow): ReadNow {
  const batches = new Map<string, Batch>()

  async function flush(key: string): Promise<void> {
    const batch = batches.get(key)
    if (!batch) return
    batches.delete(key)
    const ids = [...new Set(batch.waiting.flatMap((each) => each.ids))]
    try {
      const rows = new Map<number, Row>()
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        for (const row of await readNow(batch.model, ids.slice(at, at + MAX_IDS), batch.fields)) rows.set(row.id, row)
      }
      for (const each of batch.waiting) each.resolve(each.ids.flatMap((id) => rows.get(id) ?? []))
    } catch (error) {
      // One deleted or hidden id fails the whole call, so the merged calls are then sent separately.
      const isPartial = error instanceof CallError && (error.code === 'NOT_FOUND' || error.code === 'ACCESS_DENIED')
      for (const each of batch.waiting) {
        if (isPartial && batch.waiting.length > 1)
          readNow(batch.model, each.ids, batch.fields).then(each.resolve, each.reject)
        else each.reject(error)
      }
    }
  }

  return (model, ids, fields, signal) => {
    // A call that can be aborted is not merged: it would abort the others.
    if (signal) return readNow(model, ids, fields, signal)
    if (ids.length === 0) return Promise.resolve([])
    const sorted = fields.toSorted()
    const key = JSON.stringify([model, sorted])
    let batch = batches.get(key)
    if (!batch) {
      batch = { model, fields: sorted, waiting: [] }
      batches.set(key, batch)
      queueMicrotask(() => void flush(key))
    }
    const { waiting } = batch
    return new Promise((resolve, reject) => waiting.push({ ids, resolve, reject }))
  }
}
