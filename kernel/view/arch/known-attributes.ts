import type { Registry } from '../../model/registry.ts'
import type { ViewType } from './arch.ts'

const words = (text: string): readonly string[] => text.split(' ')

/** Attributes of every element; extensions also locate elements by `name`. */
const OF_ALL = words('name groups invisible readonly required')

const decorations = (looks: string): readonly string[] => words(looks).map((look) => `decoration-${look}`)
const LOOKS = decorations('bold danger info it muted primary success warning')

const OF_VIEW = words('create edit delete')
const OF_RECORDS = [...OF_VIEW, ...words('limit default_order default_group_by')]

/** Attributes of the root, by kind of view. */
const OF_ROOT: Readonly<Record<string, readonly string[]>> = {
  list: [...OF_RECORDS, ...words('editable multi_edit display_type undeletable'), ...LOOKS],
  form: [...OF_VIEW, 'undeletable'],
  kanban: [...OF_RECORDS, ...words('group_create records_draggable quick_create archivable')],
  graph: [...OF_RECORDS, ...words('type stacked')],
  pivot: OF_RECORDS,
  calendar: [...OF_RECORDS, ...words('date_start date_stop all_day color mode')],
  gantt: [
    ...OF_RECORDS,
    ...words('date_start date_stop default_scale progress dependency_field color'),
    ...decorations('danger muted success warning'),
  ],
  map: [...OF_RECORDS, ...words('latitude longitude')],
  cohort: [...OF_RECORDS, ...words('date_start date_stop interval mode timeline measure')],
  search: [],
}

const OF_SHOWN_FIELD = words('string widget options')
const OF_INPUT = [...OF_SHOWN_FIELD, ...words('help placeholder domain context create filename')]

/** Attributes of a field, by the kind of view it is in. */
const OF_FIELD: Readonly<Record<string, readonly string[]>> = {
  list: [...OF_INPUT, ...words('sum section_sum echo avg min max optional column_invisible'), ...LOOKS],
  form: [...OF_INPUT, ...words('class nolabel colspan statusbar_visible statusbar_icons')],
  kanban: [...OF_INPUT, 'class', ...decorations('danger warning')],
  graph: words('string type interval'),
  pivot: words('string type interval'),
  search: words('string filter_domain select hierarchize'),
}

const OF_MARKUP = ['class']

/** Attributes of other elements. Elements that are not listed only lay out their content. */
const OF_ELEMENT: Readonly<Record<string, readonly string[]>> = {
  button: words('type string class icon confirm ask ask_field special column_invisible'),
  header: [],
  sheet: [],
  group: words('string class col'),
  notebook: words('string'),
  page: words('string'),
  label: words('string for'),
  separator: words('string'),
  chatter: [],
  progressbar: words('field colors sum_field'),
  filter: words('string domain date group_by'),
  searchpanel: [],
}

/** The attributes an element of a kind of view may have; `isRoot`: the view itself. */
export function knownAttributes(
  { viewKinds }: Registry,
  type: ViewType,
  tag: string,
  isRoot: boolean,
): ReadonlySet<string> {
  const kind = viewKinds.get(type)
  const own = kind?.attributes?.[tag] ?? []
  const ofRoot = kind ? [...OF_RECORDS, ...(kind.required ?? []), ...(kind.fieldAttributes ?? [])] : OF_ROOT[type]
  const ofTag = tag === 'field' ? (OF_FIELD[type] ?? OF_SHOWN_FIELD) : (OF_ELEMENT[tag] ?? OF_MARKUP)
  return new Set([...OF_ALL, ...((isRoot ? ofRoot : ofTag) ?? []), ...own])
}
