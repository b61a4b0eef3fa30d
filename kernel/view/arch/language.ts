import type { Registry } from '../../model/registry.ts'
import type { BuiltInViewType, ViewType } from './arch.ts'

/** Elements that only lay out their content; none that loads, links or runs anything. */
const MARKUP = [
  ...['div', 'span', 'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'b', 'em', 'i', 'small'],
  ...['ul', 'ol', 'li', 'br', 'hr', 'footer', 'icon'],
]

/** Elements each kind of view may hold, at whatever depth. */
const VIEW_TAGS: Readonly<Record<BuiltInViewType, ReadonlySet<string>>> = {
  list: new Set(['field', 'button', 'header']),
  form: new Set([
    ...['field', 'button', 'header', 'sheet', 'group', 'notebook', 'page', 'label', 'separator', 'chatter'],
    ...MARKUP,
  ]),
  kanban: new Set(['field', 'button', 'header', 'progressbar', 'card', ...MARKUP]),
  graph: new Set(['field']),
  pivot: new Set(['field']),
  calendar: new Set(['field']),
  gantt: new Set(['field']),
  map: new Set(['field']),
  cohort: new Set(['field']),
  search: new Set(['field', 'filter', 'separator', 'group', 'searchpanel']),
}

/** Required attributes of the root of a view. */
const REQUIRED_ATTRIBUTES: Readonly<Partial<Record<string, readonly string[]>>> = {
  calendar: ['date_start'],
  gantt: ['date_start', 'date_stop'],
  map: ['latitude', 'longitude'],
  cohort: ['date_start', 'date_stop'],
  progressbar: ['field'],
  filter: ['name'],
}

/** Views that may stand inside a field that links to records. */
export const INLINE_VIEWS: ReadonlySet<string> = new Set(['list', 'form', 'kanban'])

export const GRANULARITIES: ReadonlySet<string> = new Set(['hour', 'day', 'week', 'month', 'quarter', 'year'])

/** Whether a kind of view may hold an element. */
export const mayHold = ({ viewKinds }: Registry, type: ViewType, tag: string): boolean =>
  Object.hasOwn(VIEW_TAGS, type)
    ? VIEW_TAGS[type as BuiltInViewType].has(tag)
    : viewKinds.get(type)?.elements.includes(tag) === true

/** Required attributes of an element. */
export const requiredAttributes = ({ viewKinds }: Registry, tag: string): readonly string[] =>
  REQUIRED_ATTRIBUTES[tag] ?? viewKinds.get(tag)?.required ?? []
