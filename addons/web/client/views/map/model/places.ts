import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { orderOf, type Route } from '../../../router/codec.ts'
import type { Search } from '../../../search/query/search-model.ts'
import { recordPathOf } from '../../../search/record-links.ts'
import { valuesOf } from '../../../store/records.ts'
import { type PlanArch, parsePlanArch, titleOf } from '../../plan/arch.ts'
import { createRecordSet, MAX_RECORDS, type RecordSet } from '../../shared/record-set.ts'
import { type Cluster, clusterPins, type Pin } from './clusters.ts'
import { type Camera, type Coordinates, fitPoints, isInView, keepInside, project, type Size } from './projection.ts'

export interface Places {
  readonly arch: PlanArch
  readonly latitude: WireField | null
  readonly longitude: WireField | null
  readonly workspace: Signal<WireWorkspace>
  readonly set: RecordSet
  readonly pins: ReadonlySignal<readonly Pin[]>
  /** Null until the size of the map is known. */
  readonly camera: Signal<Camera | null>
  readonly size: Signal<Size | null>
  readonly clusters: ReadonlySignal<readonly Cluster[]>
  /** Records in the window. */
  readonly inView: ReadonlySignal<readonly Pin[]>
  /** The record with the popup. */
  readonly selected: Signal<number | null>
  take(workspace: WireWorkspace, search: Search, route: Route): void
  /** Shows all records. */
  fit(): void
  coordinatesOf(id: number): Coordinates | null
  hrefOf(id: number): string
  titleOf(id: number): string
  stop(): void
}

/** `latitude,longitude,zoom` of the fragment. */
export function readCamera(text: string | undefined): Camera | null {
  const [latitude, longitude, zoom] = (text ?? '').split(',').map(Number)
  if (![latitude, longitude, zoom].every(Number.isFinite)) return null
  return keepInside({ ...project({ latitude: latitude!, longitude: longitude! }), zoom: zoom! })
}

export function createMapModel(first: WireWorkspace): Places {
  const arch = parsePlanArch(first)
  const latitude = arch.fieldOf('latitude')
  const longitude = arch.fieldOf('longitude')
  const workspace = signal(first)
  const set = createRecordSet(arch.model, () => false)
  const camera = signal<Camera | null>(null)
  const size = signal<Size | null>(null)
  const selected = signal<number | null>(null)
  const recordPath = computed(() => recordPathOf(workspace.value))
  let taken: WireWorkspace | null = null

  const known = new Map<number, Pin>()
  /** The same object until the record moves. */
  function pinOf(id: number): readonly Pin[] {
    const entry = set.entryOf(id)
    const place = entry.deleted.value ? null : placeOf(valuesOf(entry).value)
    if (!place) return []
    const point = project(place)
    const before = known.get(id)
    if (before?.x === point.x && before.y === point.y) return [before]
    const pin = { id, ...point }
    known.set(id, pin)
    return [pin]
  }
  function placeOf(values: Readonly<Record<string, unknown>>): Coordinates | null {
    const [north, east] = [values[latitude?.name ?? ''], values[longitude?.name ?? '']]
    return typeof north === 'number' && typeof east === 'number' ? { latitude: north, longitude: east } : null
  }

  let drawn: readonly Pin[] = []
  /** The same array until a pin moves, comes or goes, so that other changes of records draw no map. */
  const pins = computed(() => {
    const now = set.ids.value.flatMap(pinOf)
    if (now.length !== drawn.length || now.some((pin, index) => pin !== drawn[index])) drawn = now
    return drawn
  })
  // Clusters change with whole steps of zoom, so that they do not flicker in between.
  const level = computed(() => Math.round((camera.value?.zoom ?? 0) * 2) / 2)
  const clusters = computed(() => clusterPins(pins.value, level.value))
  const inView = computed(() => {
    const [from, room] = [camera.value, size.value]
    return from && room ? pins.value.filter((pin) => isInView(from, pin, room)) : pins.value
  })
  const fit = () => {
    const room = size.peek()
    if (room) camera.value = fitPoints(pins.peek(), room)
  }

  return {
    arch,
    latitude,
    longitude,
    workspace,
    set,
    pins,
    camera,
    size,
    clusters,
    inView,
    selected,
    take(next, search, { state }) {
      const isNew = next !== taken
      taken = next
      batch(() => {
        workspace.value = next
        if (camera.peek() === null) camera.value = readCamera(state['at'])
      })
      if (!latitude || !longitude) return
      const fields = arch.fields.map(({ name }) => name)
      const domain = [...search.domain, [latitude.name, '!=', null], [longitude.name, '!=', null]]
      const own = next.listSort === '' ? (arch.attrs['default_order'] ?? '') : orderOf(next.listSort)
      // Of more than can be shown, the newest: they are found without sorting all of them.
      const order = own === '' && next.listTotal > MAX_RECORDS ? 'id desc' : own
      const isThere = isNew && !search.isNarrowed
      set.show({ domain, order, fields }, isThere ? next.records : undefined, next.listTotal <= next.records.length)
    },
    fit,
    coordinatesOf: (id) => placeOf(valuesOf(set.entryOf(id)).peek()),
    hrefOf: (id) => `${recordPath.peek()}${id}`,
    titleOf: (id) => titleOf(arch, id, valuesOf(set.entryOf(id)).value),
    stop: set.stop,
  }
}
