import { type ReadonlySignal, signal } from '@preact/signals'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { sameValue } from '../../../store/records.ts'
import type { Editing } from '../edit/editing.ts'
import type { ListModel } from './model.ts'

/** Changes by other users that would add, remove or move rows: counted, and applied when the user asks for it. */
export interface LiveList {
  /** Records added, removed or moved since the list was loaded. */
  readonly waiting: ReadonlySignal<number>
  /** Loads the list again. */
  apply(): void
  stop(): void
}

/** `isBusy`: the user works in the list, so rows must not move. */
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

  /** The changed records that moved within the list, into it or out of it. */
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
    // After a failure the next event tries again.
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

/** The fields the rows are sorted by. */
const orderFields = ({ list, arch }: ListModel): readonly string[] => {
  const known = new Set(arch.fields.map(({ name }) => name))
  return (list.query.peek().order ?? '').split(',').flatMap((term) => {
    const [name = ''] = term.trim().split(' ')
    return known.has(name) ? [name] : []
  })
}
