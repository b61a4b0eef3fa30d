import { type ReadonlySignal, signal } from '@preact/signals'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { sameValue } from '../../../store/records.ts'
import type { Editing } from '../edit/editing.ts'
import type { ListModel } from './model.ts'

/** Changes of others that would add, remove or reorder rows: counted, and applied when the user says so. */
export interface LiveList {
  /** Records that came, went or moved since the list was loaded. */
  readonly waiting: ReadonlySignal<number>
  /** Loads the list again. */
  apply(): void
  stop(): void
}

/** `isBusy`: somebody reads, types or selects here, so that rows must not move under them. */
export function followList(model: ListModel, editing: Editing, isBusy: () => boolean): LiveList {
  const { bus, rpc } = services()
  const { arch } = model
  const moved = signal<ReadonlySet<number>>(new Set())
  const waiting = signal(0)

  function apply(): void {
    moved.value = new Set()
    waiting.value = 0
    void model.refresh()
  }

  function note(ids: readonly number[]): void {
    if (ids.length === 0 || model.isWorking.peek()) return
    moved.value = new Set([...moved.peek(), ...ids])
    if (isBusy() || editing.isDirty()) waiting.value = moved.peek().size
    else apply()
  }

  /** Of changed records those that are now elsewhere in the list, or in or out of it. */
  async function findMoved(ids: readonly number[]): Promise<readonly number[]> {
    const shown = new Set(model.loadedIds())
    const keys = orderFields(model)
    const before = new Map(ids.map((id) => [id, model.entryOf(id).values.base.peek()]))
    const rows = await searchRead(rpc, arch.model, [...model.domain.peek(), ['id', 'in', [...ids]]], keys, {
      limit: ids.length,
    })
    const now = new Map(rows.map((row) => [row.id, row]))
    return ids.filter((id) => {
      const row = now.get(id)
      if (!row || !shown.has(id)) return shown.has(id) !== (row !== undefined)
      return keys.some((key) => !sameValue(row[key], before.get(id)?.[key]))
    })
  }

  const heard = (events: readonly { readonly model: string; readonly id: number }[]) => {
    const ids = [...new Set(events.flatMap((event) => (event.model === arch.model ? [event.id] : [])))].slice(
      0,
      MAX_EVENTS,
    )
    // A question that fails is asked again by the next event.
    if (ids.length > 0 && !model.isWorking.peek()) findMoved(ids).then(note, () => undefined)
  }
  const stops = [
    bus.on('record.created', heard),
    bus.on('record.updated', heard),
    bus.on('record.deleted', (events) => {
      const shown = new Set(model.loadedIds())
      note(events.flatMap((event) => (event.model === arch.model && shown.has(event.id) ? [event.id] : [])))
    }),
  ]
  return {
    waiting,
    apply,
    stop() {
      for (const each of stops) each()
    },
  }
}

const MAX_EVENTS = 200

/** Fields the order of the rows goes by. */
const orderFields = ({ list, arch }: ListModel): readonly string[] => {
  const known = new Set(arch.fields.map(({ name }) => name))
  return (list.query.peek().order ?? '').split(',').flatMap((term) => {
    const [name = ''] = term.trim().split(' ')
    return known.has(name) ? [name] : []
  })
}
