import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import type { Route } from '../../../router/codec.ts'
import type { Search } from '../../../search/query/search-model.ts'
import { recordPathOf } from '../../../search/record-links.ts'
import { type Values, valuesOf } from '../../../store/records.ts'
import { titleOf } from '../../plan/arch.ts'
import { valueKeys } from '../../plan/hues.ts'
import { createPlaces, type Placed } from '../../plan/placed.ts'
import type { Span } from '../../plan/span.ts'
import { duringPeriod, isCovered, readDay, type TimeRange } from '../../plan/time-range.ts'
import { floorDay, wallNow } from '../../plan/wall.ts'
import { createRecordSet, type RecordSet } from '../../shared/record-set.ts'
import { type CalendarArch, parseCalendar } from './arch.ts'
import { isScale, rangeOf, type Scale } from './range.ts'

/** A record that is being moved or resized, where it would go. */
export interface LiftedEvent extends Placed {
  readonly by: 'pointer' | 'keys'
  readonly isResized: boolean
}

/** A record about to be created. */
export interface NewEvent {
  readonly span: Span
  /** The grid; the form points at the first day of the span in it. */
  readonly root: HTMLElement
  /** False while its span is being marked. */
  readonly isOpen: boolean
}

/** Id of the new record in the grid. */
export const NEW_ID = 0

export interface Calendar {
  readonly arch: CalendarArch
  readonly workspace: Signal<WireWorkspace>
  readonly set: RecordSet
  readonly scale: Signal<Scale>
  /** Midnight of the chosen day, in wall time. */
  readonly date: Signal<number>
  readonly range: ReadonlySignal<TimeRange>
  /** The shown records, without values hidden in the side panel. */
  readonly placed: ReadonlySignal<readonly Placed[]>
  readonly lifted: Signal<LiftedEvent | null>
  readonly creating: Signal<NewEvent | null>
  /** Keys of hidden values, by field. */
  readonly hidden: Signal<Readonly<Record<string, readonly string[]>>>
  take(workspace: WireWorkspace, search: Search, route: Route): void
  hrefOf(id: number): string
  titleOf(id: number): string
  stop(): void
}

/** `field:key,key;field:key` */
const readHidden = (text = ''): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    text.split(';').flatMap((part) => {
      const at = part.indexOf(':')
      return at > 0 ? [[part.slice(0, at), part.slice(at + 1).split(',')] as const] : []
    }),
  )

export const writeHidden = (hidden: Readonly<Record<string, readonly string[]>>): string | undefined =>
  Object.entries(hidden)
    .filter(([, keys]) => keys.length > 0)
    .map(([field, keys]) => `${field}:${keys.join(',')}`)
    .join(';') || undefined

export function createCalendar(first: WireWorkspace): Calendar {
  const arch = parseCalendar(first)
  const workspace = signal(first)
  const scale = signal<Scale>(arch.mode)
  const date = signal(floorDay(wallNow()))
  const lifted = signal<LiftedEvent | null>(null)
  const creating = signal<NewEvent | null>(null)
  const hidden = signal<Readonly<Record<string, readonly string[]>>>({})
  const set = createRecordSet(arch.model, () => lifted.peek() !== null)
  const recordPath = computed(() => recordPathOf(workspace.value))
  const range = computed(() => rangeOf(scale.value, date.value))

  let taken: WireWorkspace | null = null
  const isHidden = (values: Values): boolean =>
    arch.filters.some((field) => {
      const keys = hidden.value[field.name]
      return (
        keys !== undefined && keys.length > 0 && valueKeys(field, values[field.name]).every((key) => keys.includes(key))
      )
    })

  const placeOf = createPlaces(set, arch.span, isHidden)
  const placed = computed(() => {
    const moved = lifted.value
    const shown = set.ids.value.flatMap((id) => (moved?.id === id ? moved : (placeOf(id).value ?? [])))
    return creating.value ? [...shown, { id: NEW_ID, span: creating.value.span }] : shown
  })

  return {
    arch,
    workspace,
    set,
    scale,
    date,
    range,
    placed,
    lifted,
    creating,
    hidden,
    take(next, search, { state }) {
      const isNew = next !== taken
      taken = next
      batch(() => {
        workspace.value = next
        scale.value = isScale(state['scale']) ? state['scale'] : arch.mode
        date.value = readDay(state['date'])
        hidden.value = readHidden(state['hide'])
      })
      if (!arch.span) return
      const period = range.peek()
      const domain = [...search.domain, ...duringPeriod(period, arch.span)]
      // The records sent with the page are those of the months around today.
      const isThere = isNew && !search.isNarrowed && isCovered(period, next.window)
      set.show(
        { domain, order: `${arch.span.start.name}, id`, fields: arch.fields.map(({ name }) => name) },
        isThere ? next.records : undefined,
        next.listTotal <= next.records.length,
      )
    },
    hrefOf: (id) => `${recordPath.peek()}${id}`,
    titleOf: (id) => titleOf(arch, id, valuesOf(set.entryOf(id)).peek()),
    stop: set.stop,
  }
}
