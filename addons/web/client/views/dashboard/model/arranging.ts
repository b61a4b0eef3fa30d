import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { services } from '../../../services.ts'
import { writeRecords } from '../../../store/queries.ts'
import { inReadingOrder } from './layout.ts'
import { placeValues, type TileRecord, tileValues } from './tile.ts'

/** Tiles being arranged: all changes are saved together in one call. */
export interface Arranging {
  readonly tiles: ReadonlySignal<readonly TileRecord[]>
  readonly isChanged: ReadonlySignal<boolean>
  readonly canUndo: ReadonlySignal<boolean>
  readonly canRedo: ReadonlySignal<boolean>
  /** Applies one step that can be undone; an equal arrangement is no step. */
  apply(next: readonly TileRecord[]): void
  undo(): void
  redo(): void
  /** An id for a tile that is not saved yet. */
  newId(): number
  save(): Promise<void>
}

export function createArranging(dashboardId: number, stored: readonly TileRecord[]): Arranging {
  const history = signal<readonly (readonly TileRecord[])[]>([inReadingOrder(stored)])
  const at = signal(0)
  const tiles = computed(() => history.value[at.value] ?? [])
  let lastId = 0
  return {
    tiles,
    isChanged: computed(() => commandsOf(stored, tiles.value).length > 0),
    canUndo: computed(() => at.value > 0),
    canRedo: computed(() => at.value < history.value.length - 1),
    apply(next) {
      if (commandsOf(tiles.peek(), next).length === 0) return
      history.value = [...history.peek().slice(0, at.peek() + 1), inReadingOrder(next)]
      at.value = history.peek().length - 1
    },
    undo() {
      at.value = Math.max(0, at.peek() - 1)
    },
    redo() {
      at.value = Math.min(history.peek().length - 1, at.peek() + 1)
    },
    newId: () => --lastId,
    async save() {
      const commands = commandsOf(stored, tiles.peek())
      if (commands.length > 0)
        await writeRecords(services().rpc, 'sys.dashboard', [dashboardId], { tile_ids: commands })
    },
  }
}

/** The commands on the lines of the dashboard that turn one arrangement into the other. */
export function commandsOf(before: readonly TileRecord[], after: readonly TileRecord[]): readonly unknown[] {
  const known = new Map(before.map((tile) => [tile.id, tile]))
  const kept = new Set(after.map(({ id }) => id))
  return [
    ...before.flatMap(({ id }) => (kept.has(id) ? [] : [[2, id]])),
    ...after.flatMap((tile): readonly unknown[] => {
      const old = known.get(tile.id)
      if (old === undefined) return [[0, 0, tileValues(tile)]]
      const changes = changedValues(old, tile)
      return Object.keys(changes).length > 0 ? [[1, tile.id, changes]] : []
    }),
  ]
}

const changedValues = (before: TileRecord, after: TileRecord): Readonly<Record<string, unknown>> => {
  const old: Readonly<Record<string, unknown>> = { ...tileValues(before), ...placeValues(before) }
  return Object.fromEntries(
    Object.entries(tileValues(after)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name])),
  )
}
