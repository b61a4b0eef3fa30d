import { computed } from '@preact/signals'
import { t, tn } from '../../../core/i18n.ts'
import { onRecordChanges, type RecordChange } from '../../../net/record-changes.ts'
import type { Row } from '../../../net/rpc.ts'
import { afterNote, isLeaving } from '../../../search/leaving.ts'
import type { LiveUpdates, Update } from '../../../search/updates.tsx'
import { services } from '../../../services.ts'
import { loadGroups } from '../../../store/group.ts'
import { countRecords, searchRead } from '../../../store/queries.ts'
import { sameValue, type Values, writerOf } from '../../../store/records.ts'
import { announce } from '../../../ui/announce.ts'
import type { Editing } from '../edit/editing.ts'
import { lineAt, lineOfRecord } from './layout.ts'
import type { ListModel } from './model.ts'

/**
 * Follows changes to the records of a list. Values change in place; rows that are added, removed or moved wait until the user
 * shows them. If the user is not working in the list, rows that leave stay for a moment and all other changes are shown at once.
 * `isBusy`: whether the user is working in the list, so that rows must not move.
 */
export function followList(model: ListModel, editing: Editing, isBusy: () => boolean): LiveUpdates & { stop(): void } {
  const { bus, rpc, records } = services()
  const { arch } = model
  // A row may have been loaded again between a change and its event.
  const updates = computed(() => {
    void model.layout.value
    const shown = shownIds(model)
    return model.updates.value.filter(({ id, kind }) => (kind === 'new') !== shown.has(id))
  })
  let isStopped = false
  let stopWaiting = () => {}
  const isFree = () => !isBusy() && !editing.isDirty()

  function apply(): void {
    stopWaiting()
    const id = cursorId(model)
    void model.refresh().then(() => {
      const line = id === null ? null : lineOfRecord(model.layout.peek(), id)
      if (line !== null && line !== model.cursor.peek().line) model.cursor.value = { ...model.cursor.peek(), line }
    })
  }

  function note(found: readonly Update[]): void {
    if (isStopped || model.isWorking.peek()) return
    const others = updates.peek().filter(({ id }) => !found.some((update) => update.id === id))
    model.updates.value = [...found, ...others]
    const all = updates.peek()
    if (isFree() && all.length > 0) {
      if (!all.some(isLeaving)) {
        apply()
        return
      }
      stopWaiting()
      stopWaiting = afterNote(() => isFree() && apply())
    }
    void model.refreshTotals()
    refreshGroups(model).catch(() => undefined)
  }

  /** Finds the effect of changes: new values of rows, or rows that move. */
  async function look(changes: readonly RecordChange[]): Promise<void> {
    const shown = shownIds(model)
    const placed = placeFields(model)
    const before = new Map(changes.map(({ id }) => [id, model.entryOf(id).values.base.peek()]))
    const deleted = changes.filter(({ id, kind, isOwn }) => kind === 'deleted' && !isOwn && shown.has(id))
    const others = changes.filter(({ kind, isOwn }) => kind !== 'deleted' && !isOwn)
    const now = await readMatching(model, others, placed)
    const moved = others.flatMap(({ id, fields }): readonly Update[] => {
      const row = now.get(id)
      const old = before.get(id) ?? {}
      if (!row) return shown.has(id) ? [{ ...updateOf(model, id, 'gone', old), by: lastWriter(model, id) }] : []
      if (!shown.has(id)) return [updateOf(model, id, 'new', row)]
      const isMoved = placed.some((name) =>
        name in old ? !sameValue(row[name], old[name]) : fields?.includes(name) !== false,
      )
      return isMoved ? [updateOf(model, id, 'moved', row)] : []
    })
    const inPlace = [...now.values()].filter((row) => shown.has(row.id) && !moved.some(({ id }) => id === row.id))
    tell(inPlace.map((row) => updateOf(model, row.id, 'moved', row)))
    note([
      ...deleted.map(({ id, isHidden, by = null }) => ({
        ...updateOf(model, id, isHidden ? 'hidden' : 'deleted', before.get(id) ?? {}),
        by: () => by,
      })),
      ...moved,
    ])
  }

  /** Anything may have changed: the rows in view are read again, and rows that appeared are only counted. */
  async function lookAtAll(): Promise<void> {
    if (isFree()) return apply()
    const ids = [...new Set(model.lists().flatMap((list) => list.shownIds()))].slice(0, MAX_IDS)
    const domain = model.domain.peek()
    const [rows, total] = await Promise.all([
      searchRead(rpc, arch.model, [...domain, ['id', 'in', ids]], model.list.query.peek().fields, { limit: MAX_IDS }),
      countRecords(rpc, arch.model, domain),
    ])
    records.put(arch.model, rows, { isRemote: true })
    const found = new Set(rows.map(({ id }) => id))
    const gone = ids.filter((id) => !found.has(id))
    const added = model.list.isExact.peek() ? total - (model.list.total.peek() - gone.length) : 0
    note([
      ...gone.map((id) => ({ ...updateOf(model, id, 'gone', model.entryOf(id).values.base.peek()), by: nobody })),
      // Records without an id yet: only their number is known.
      ...Array.from({ length: Math.min(MAX_IDS, Math.max(0, added)) }, (_, index) => ({
        ...updateOf(model, -1 - index, 'new', {}),
        name: null,
      })),
    ])
  }

  const stop = onRecordChanges(bus, [arch.model], (changes) => {
    if (model.isWorking.peek()) return // After a failure the next event tries again.
    ;(changes === null ? lookAtAll() : look(changes)).catch(() => undefined)
  })
  return {
    updates,
    apply,
    stop() {
      isStopped = true
      stopWaiting()
      stop()
    },
  }
}

/**
 * The records of the rows, also of those that the user has just removed and may still restore. A page that was loaded after the total may
 * reach beyond it: those records have no row.
 */
const shownIds = (model: ListModel): ReadonlySet<number | undefined> =>
  new Set(model.lists().flatMap(({ ids, total }) => ids.base.peek().slice(0, total.peek())))

/** Loads the counts and sums of the groups again; no row moves. */
async function refreshGroups({ groups, groupQuery }: ListModel): Promise<void> {
  const before = groups.peek()
  if (before === null) return
  const fresh = new Map((await loadGroups(services().rpc, groupQuery())).map((group) => [group.value, group]))
  if (groups.peek() !== before) return
  groups.value = before.map((group) => ({
    ...(fresh.get(group.value) ?? group),
    isOpen: group.isOpen,
    inside: group.inside,
  }))
}

/** Announces rows that changed in place to screen readers. */
function tell(changed: readonly Update[]): void {
  const [first] = changed
  if (!first) return
  const name = first.name ?? ''
  if (changed.length > 1) announce(tn(changed.length, '{n} record was changed', '{n} records were changed'))
  else {
    const by = first.by()
    announce(by ? t('{person} changed {name}', { person: by[1], name }) : t('{name} was changed', { name }))
  }
}

const MAX_IDS = 200

/** The records that match the search, with the fields that decide where they are. */
async function readMatching(
  model: ListModel,
  changes: readonly RecordChange[],
  fields: readonly string[],
): Promise<ReadonlyMap<number, Row>> {
  const ids = [...new Set(changes.map(({ id }) => id))]
  if (ids.length === 0) return new Map()
  const domain = [...model.domain.peek(), ['id', 'in', ids]]
  const names = [...new Set([...fields, 'display_name', 'write_uid'])]
  const rows = await searchRead(services().rpc, model.arch.model, domain, names, { limit: ids.length })
  return new Map(rows.map((row) => [row.id, row]))
}

/** The fields the rows are sorted and grouped by. */
function placeFields({ list, arch, groupBy, groups }: ListModel): readonly string[] {
  const known = new Set(arch.fields.map(({ name }) => name))
  const order = (list.query.peek().order ?? '').split(',').map((term) => term.trim().split(' ')[0] ?? '')
  const grouped = groups.peek() === null ? [] : groupBy.peek().map((item) => item.split(':')[0] ?? '')
  return [...new Set([...order.filter((name) => known.has(name)), ...grouped])]
}

function updateOf({ arch }: ListModel, id: number, kind: Update['kind'], values: Values): Update {
  const main = arch.columns.find((column) => column.kind === 'field' && column.isMain)?.key ?? ''
  const name = values['display_name'] ?? values[main]
  const by = () => writerOf(values) ?? null
  return { id, kind, name: typeof name === 'string' ? name : `#${id}`, by, at: Date.now() }
}

/** The last writer of a row on screen, which is read again after each change. */
const lastWriter = (model: ListModel, id: number) => () => writerOf(model.entryOf(id).values.base.value) ?? null

const nobody = () => null

function cursorId({ layout, cursor }: ListModel): number | null {
  const line = lineAt(layout.peek(), cursor.peek().line)
  return line?.kind === 'record' ? (line.list.ids.value.peek()[line.at] ?? null) : null
}
