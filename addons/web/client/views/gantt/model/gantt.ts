import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import type { Route } from '../../../router/codec.ts'
import { searchableFields } from '../../../search/query/field-catalogue.ts'
import type { Search } from '../../../search/query/search-model.ts'
import { recordPathOf } from '../../../search/record-links.ts'
import { services } from '../../../services.ts'
import { createOpenGroups } from '../../../store/open-groups.ts'
import { valuesOf } from '../../../store/records.ts'
import { titleOf } from '../../plan/arch.ts'
import { createPlaces } from '../../plan/placed.ts'
import type { Span } from '../../plan/span.ts'
import { duringPeriod, isCovered, readDay, type TimeRange } from '../../plan/time-range.ts'
import { choiceOf } from '../../shared/fragment.ts'
import { createRecordSet, type RecordSet } from '../../shared/record-set.ts'
import { type GanttArch, parseGantt } from './arch.ts'
import { type BarLink, linksOf } from './links.ts'
import { type BarGroup, buildRows, type GanttRecord, type GanttRow, type GroupLevel } from './rows.ts'
import { GANTT_SCALES, type GanttScale, ganttRange } from './scale.ts'

/** A bar that is being moved, resized or filled. */
export interface LiftedBar {
  readonly id: number
  readonly span: Span
  readonly by: 'pointer' | 'keys'
  readonly isResized: boolean
  /** Percent, if the progress is being changed. */
  readonly progress?: number
  /** The group it is held over. */
  readonly group?: BarGroup | null
}

/** A record about to be created in a row. */
export interface NewBar {
  readonly span: Span
  readonly row: string
  readonly group: BarGroup | null
  /** False while its span is being marked. */
  readonly isOpen: boolean
}

export interface Gantt {
  readonly arch: GanttArch
  readonly workspace: Signal<WireWorkspace>
  readonly set: RecordSet
  readonly scale: Signal<GanttScale>
  readonly date: Signal<number>
  readonly range: ReadonlySignal<TimeRange>
  readonly levels: Signal<readonly GroupLevel[]>
  readonly rows: ReadonlySignal<readonly GanttRow[]>
  readonly links: ReadonlySignal<readonly BarLink[]>
  readonly lifted: Signal<LiftedBar | null>
  readonly creating: Signal<NewBar | null>
  /** Key of the row in the tab order. */
  readonly current: Signal<string>
  take(workspace: WireWorkspace, search: Search, route: Route): void
  toggle(row: BarGroup): void
  hrefOf(id: number): string
  titleOf(id: number): string
  /** Part of the width at which a time is. */
  partOf(wall: number): number
  stop(): void
}

export function createGantt(first: WireWorkspace): Gantt {
  const { session } = services()
  const arch = parseGantt(first)
  const workspace = signal(first)
  const scale = signal<GanttScale>(arch.scale)
  const date = signal(0)
  const levels = signal<readonly GroupLevel[]>([])
  const lifted = signal<LiftedBar | null>(null)
  const creating = signal<NewBar | null>(null)
  const current = signal('')
  const folds = signal(0)
  const openGroups = createOpenGroups(localStorage, `modulus.gantt.${session.bootstrap.user.id}.${arch.model}`)
  const set = createRecordSet(arch.model, () => lifted.peek() !== null)
  const range = computed(() => ganttRange(scale.value, date.value))
  const recordPath = computed(() => recordPathOf(workspace.value))
  const placeOf = createPlaces(set, arch.span)
  let taken: WireWorkspace | null = null

  const rows = computed(() => {
    const { from, to } = range.value
    const moved = lifted.value
    const records = set.ids.value.flatMap((id): readonly GanttRecord[] => {
      const place = moved?.id === id ? moved : placeOf(id).value
      if (!place || place.span.start >= to || place.span.end <= from) return []
      const values = valuesOf(set.entryOf(id)).value
      const held = moved?.id === id && moved.progress !== undefined && arch.progress
      return [{ id, span: place.span, values: held ? { ...values, [held.name]: moved.progress } : values }]
    })
    folds.value
    const items = levels.value.map(({ item }) => item)
    return buildRows(records, {
      levels: levels.value,
      progress: arch.progress,
      isOpen: (key) => openGroups.get(items, key) ?? true,
    })
  })

  /** The fields behind the grouping; those the view does not know are looked up. */
  async function findLevels(items: readonly string[]): Promise<readonly GroupLevel[]> {
    const known = [...arch.fields, ...workspace.peek().search.grouped]
    const find = (fields: readonly WireField[]) =>
      items.flatMap((item) => {
        const field = fields.find(({ name }) => name === item.split(':')[0])
        return field ? [{ item, field }] : []
      })
    const found = find(known)
    return found.length === items.length
      ? found
      : find([...known, ...(await searchableFields(arch.model).catch(() => []))])
  }

  return {
    arch,
    workspace,
    set,
    scale,
    date,
    range,
    levels,
    rows,
    links: computed(() => linksOf(arch, rows.value)),
    lifted,
    creating,
    current,
    take(next, search, route) {
      const isNew = next !== taken
      taken = next
      batch(() => {
        workspace.value = next
        scale.value = choiceOf(route, 'scale', GANTT_SCALES, arch.scale)
        date.value = readDay(route.state['date'])
      })
      const { span } = arch
      if (!span) return
      const period = range.peek()
      const items = search.groupBy(arch.groupBy)
      void findLevels(items).then((found) => {
        if (taken !== next) return
        levels.value = found
        const names = arch.fields.map(({ name }) => name)
        const fields = [...new Set([...names, ...found.map(({ field }) => field.name)])]
        const isThere = isNew && fields.length === names.length && !search.isNarrowed && isCovered(period, next.window)
        const domain = [...search.domain, ...duringPeriod(period, span)]
        // Newest first: in ascending order an index would go through all old records that have ended.
        set.show(
          { domain, order: `${span.start.name} desc, id desc`, fields },
          isThere ? next.records : undefined,
          next.listTotal <= next.records.length,
        )
      })
    },
    toggle({ key, isOpen }) {
      openGroups.set(
        levels.peek().map(({ item }) => item),
        key,
        !isOpen,
      )
      folds.value++
    },
    hrefOf: (id) => `${recordPath.peek()}${id}`,
    titleOf: (id) => titleOf(arch, id, valuesOf(set.entryOf(id)).peek()),
    partOf(wall) {
      const { from, to } = range.value
      return (wall - from) / (to - from)
    },
    stop: set.stop,
  }
}
