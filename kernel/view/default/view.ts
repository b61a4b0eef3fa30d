import type { Field } from '../../model/fields/field.ts'
import type { Model, Registry } from '../../model/registry.ts'
import type { ArchNode, BuiltInViewType, ViewType } from '../arch/arch.ts'
import { isAggregatable, isDay, isGroupable, shownFields } from '../arch/field-traits.ts'
import { element, fieldNode } from './element.ts'
import { formOf } from './form.ts'
import { listFields, listOf, nameOf } from './list.ts'
import { searchOf } from './search.ts'

/** A sensible view from the fields of a model; null when they have nothing for this kind of view to show. */
export function generateView(registry: Registry, modelName: string, type: ViewType): ArchNode | null {
  const model = registry.model(modelName)
  if (model === undefined) return null
  const generate = Object.hasOwn(GENERATORS, type)
    ? GENERATORS[type as BuiltInViewType]
    : registry.viewKinds.get(type)?.generate
  return generate?.(model, registry) ?? null
}

type Generate = (model: Model, registry: Registry) => ArchNode | null

const GENERATORS: Readonly<Record<BuiltInViewType, Generate>> = {
  list: listOf,
  form: formOf,
  search: searchOf,
  kanban: kanbanOf,
  graph: graphOf,
  pivot: pivotOf,
  calendar: (model) => {
    const { start, stop } = spanOf(model)
    if (start === undefined) return null
    return element('calendar', { date_start: start.name, ...(stop ? { date_stop: stop.name } : {}) }, [
      fieldNode(nameOf(model)),
    ])
  },
  gantt: (model) => {
    const { start, stop } = spanOf(model)
    if (start === undefined || stop === undefined) return null
    const group = groupField(model)
    const attrs = { date_start: start.name, date_stop: stop.name }
    return element('gantt', group ? { ...attrs, default_group_by: group.name } : attrs, [fieldNode(nameOf(model))])
  },
  map: (model) => {
    if (!model.fields.has('latitude') || !model.fields.has('longitude')) return null
    const popup = listFields(model).slice(0, 4)
    return element(
      'map',
      { latitude: 'latitude', longitude: 'longitude' },
      popup.map((field) => fieldNode(field.name)),
    )
  },
  cohort: (model) => {
    const { start, stop } = spanOf(model)
    if (start === undefined || stop === undefined) return null
    return element('cohort', { date_start: start.name, date_stop: stop.name, interval: 'month' })
  },
}

function kanbanOf(model: Model, registry: Registry): ArchNode {
  const group = boardField(model, registry)
  const details = listFields(model)
    .filter((field) => field.name !== nameOf(model) && field !== group)
    .slice(0, 4)
  const card = element('card', {}, [
    element('strong', {}, [fieldNode(nameOf(model))]),
    ...details.map((field) => element('div', {}, [fieldNode(field.name)])),
  ])
  return element('kanban', group ? { default_group_by: group.name } : {}, [card])
}

/** The field by which a board is divided into columns: a link to stages, else the first selection with few keys. */
function boardField(model: Model, registry: Registry): Field | undefined {
  const fields = shownFields(model).filter(isGroupable)
  return (
    fields.find((field) => field.relation !== null && registry.model(field.relation.target)?.expandGroups) ??
    fields.find((field) => field.selection !== null)
  )
}

/** The first field whose values are useful groups. */
const groupField = (model: Model): Field | undefined => {
  const fields = shownFields(model).filter(isGroupable)
  return (
    fields.find((field) => field.selection !== null) ??
    fields.find((field) => field.relation?.kind === 'many2one') ??
    fields.find(isDay)
  )
}

const measuresOf = (model: Model): readonly Field[] => shownFields(model).filter(isAggregatable)

function graphOf(model: Model): ArchNode | null {
  const group = groupField(model)
  if (group === undefined) return null
  const measures = measuresOf(model).slice(0, 1)
  return element('graph', { type: 'bar' }, [
    fieldNode(group.name),
    ...measures.map((field) => fieldNode(field.name, { type: 'measure' })),
  ])
}

function pivotOf(model: Model): ArchNode | null {
  const row = groupField(model)
  if (row === undefined) return null
  const day = shownFields(model).find((field) => field !== row && isDay(field) && isGroupable(field))
  return element('pivot', {}, [
    fieldNode(row.name, { type: 'row' }),
    ...(day ? [fieldNode(day.name, { type: 'col', interval: 'month' })] : []),
    ...measuresOf(model)
      .slice(0, 2)
      .map((field) => fieldNode(field.name, { type: 'measure' })),
  ])
}

const STARTS = ['date_start', 'start_date', 'start', 'date_open', 'date', 'date_order', 'date_deadline'] as const
const STOPS = ['date_stop', 'date_end', 'end_date', 'stop', 'end', 'date_deadline', 'date_closed'] as const

/** The fields with begin and end of a record: by the usual names, else its first date. */
function spanOf(model: Model): { readonly start: Field | undefined; readonly stop: Field | undefined } {
  const days = shownFields(model).filter((field) => isDay(field) && field.column !== null)
  const named = (names: readonly string[]) =>
    names.map((name) => days.find((field) => field.name === name)).find((field) => field !== undefined)
  const start = named(STARTS) ?? days[0]
  return { start, stop: named(STOPS.filter((name) => name !== start?.name)) }
}
