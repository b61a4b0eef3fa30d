import type { WireBootstrap } from '../../../../kernel/view/wire.ts'
import { debounce } from '../core/debounce.ts'
import { CallError } from '../net/errors.ts'
import type { Rpc } from '../net/rpc.ts'
import { createRecord, searchRead, unlinkRecords, writeRecords } from './queries.ts'

/** The user's interface settings by key, saved on the server, so that they are the same in every browser. */
export interface Preferences {
  get(key: string): unknown
  /** Null removes it. */
  set(key: string, value: unknown): void
  /** Sends pending changes now. */
  flush(): void
}

const MODEL = 'sys.preference'
/** Delay before sending, since some settings change with every pointer move. */
const REST_MS = 400

export function createPreferences(
  rpc: Rpc,
  known: WireBootstrap['preferences'],
  onError: (error: unknown) => void,
): Preferences {
  const values = new Map(known.map(({ key, value }) => [key, value]))
  const ids = new Map(known.map(({ key, id }) => [key, id]))
  const waiting = new Set<string>()
  let sending = Promise.resolve()

  async function save(key: string): Promise<void> {
    const id = ids.get(key)
    const value = values.get(key) ?? null
    const options = { keepalive: true }
    if (id !== undefined && value === null) {
      ids.delete(key)
      await unlinkRecords(rpc, MODEL, [id], options)
    } else if (id !== undefined) await writeRecords(rpc, MODEL, [id], { value }, options)
    else if (value !== null) ids.set(key, await createRecord(rpc, MODEL, { key, value }, options))
  }

  /** Another tab may have created or deleted the record meanwhile: then it is looked up and saved once more. */
  async function saveAnyway(key: string): Promise<void> {
    try {
      await save(key)
    } catch (error) {
      if (!(error instanceof CallError) || !['CONFLICT', 'NOT_FOUND'].includes(error.code)) throw error
      const [row] = await searchRead(rpc, MODEL, [['key', '=', key]], [], { limit: 1 })
      if (row) ids.set(key, row.id)
      else ids.delete(key)
      await save(key)
    }
  }

  const send = debounce(() => {
    const keys = [...waiting]
    waiting.clear()
    for (const key of keys) sending = sending.then(() => saveAnyway(key)).catch(onError)
  }, REST_MS)

  return {
    get: (key) => values.get(key) ?? null,
    set(key, value) {
      values.set(key, value)
      waiting.add(key)
      send()
    },
    flush: () => send.flush(),
  }
}
