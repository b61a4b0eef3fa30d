import type { Registry } from '../../model/registry.ts'

/** Attributes that name a field of the view's model, by tag. What pruning and validation know about the view language. */
const FIELD_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['list', ['default_group_by', 'display_type']],
  ['kanban', ['default_group_by']],
  ['calendar', ['date_start', 'date_stop', 'all_day', 'color']],
  ['gantt', ['date_start', 'date_stop', 'default_group_by', 'progress', 'dependency_field', 'color']],
  ['map', ['latitude', 'longitude']],
  ['cohort', ['date_start', 'date_stop', 'measure']],
  ['progressbar', ['field', 'sum_field']],
  ['label', ['for']],
])

/** The attributes of an element that name a field. */
export const fieldAttributes = ({ viewKinds }: Registry, tag: string): readonly string[] =>
  FIELD_ATTRIBUTES.get(tag) ?? viewKinds.get(tag)?.fieldAttributes ?? []

/** `field` or `field:granularity`. */
export const fieldOfGroup = (text: string): string => text.split(':')[0]!

/** `__count` counts records instead of adding a field up. */
export const COUNT = '__count'
