import { services } from '../../services.ts'
import { runOptimistic } from '../../store/optimistic.ts'
import { writeRecords } from '../../store/queries.ts'
import type { RecordEntry, Values } from '../../store/records.ts'
import { announce } from '../../ui/announce.ts'
import { showError, showToast, undoAction } from '../../ui/toasts.tsx'
import type { RecordSet } from '../shared/record-set.ts'

export interface Change {
  readonly entry: RecordEntry
  /** As they are shown; a link is `[id, name]`. */
  readonly values: Values
}

let queue: Promise<unknown> = Promise.resolve()

/** Changes are sent one after the other, so that the last one wins. */
function inTurn<T>(send: () => Promise<T>): Promise<T> {
  const own = queue.then(send, send)
  queue = own.catch(() => undefined)
  return own
}

/**
 * Shows changes at once, sends them, and offers to undo them. If the server refuses one, all of them are taken back and the reason is
 * shown. Returns whether they were saved.
 */
export async function changeRecords(set: RecordSet, changes: readonly Change[], text: string): Promise<boolean> {
  const before = changes.map(({ entry, values }) => ({ entry, values: pick(entry.values.value.peek(), values) }))
  const again = () => void changeRecords(set, changes, text)
  const takeBack = () => void send(set, before, changes, takeBack)
  if (!(await send(set, changes, before, again))) return false
  announce(text)
  showToast({ level: 'success', text, action: undoAction(takeBack) })
  return true
}

async function send(
  set: RecordSet,
  changes: readonly Change[],
  before: readonly Change[],
  again: () => void,
): Promise<boolean> {
  let isKept = false
  const layers = changes.map(({ entry, values }) => () => {
    const take = entry.values.push((known) => ({ ...known, ...values }))
    return () => {
      if (isKept) entry.values.base.value = { ...entry.values.base.peek(), ...values }
      take()
    }
  })
  const ids = changes.map(({ entry }) => entry.id)
  try {
    await runOptimistic(
      layers,
      () => inTurn(() => writeAll(changes, before)),
      () => {
        isKept = true
      },
    )
    return true
  } catch (error) {
    showError(error, again)
    return false
  } finally {
    // Other values may depend on those that changed, and the record may not match the search any more.
    void set.refresh(ids)
  }
}

/** One call per record; if one is refused, those before it are written back. */
async function writeAll(changes: readonly Change[], before: readonly Change[]): Promise<void> {
  for (const [at, change] of changes.entries()) {
    try {
      await write(change)
    } catch (error) {
      for (const done of before.slice(0, at)) await write(done).catch(() => undefined)
      throw error
    }
  }
}

const write = ({ entry, values }: Change): Promise<true> =>
  writeRecords(services().rpc, entry.model, [entry.id], Object.fromEntries(Object.entries(values).map(toSend)))

const toSend = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => [
  name,
  Array.isArray(value) && typeof value[1] === 'string' ? value[0] : value,
]

const pick = (values: Values, wanted: Values): Values =>
  Object.fromEntries(Object.keys(wanted).map((name) => [name, values[name] ?? null]))
