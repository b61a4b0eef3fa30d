import type { IconName } from './icon-names.ts'

/** Icons of the view switcher. */
export const VIEW_ICONS: Readonly<Record<string, IconName>> = {
  list: 'list',
  form: 'file-text',
  kanban: 'kanban',
  graph: 'chart-column',
  pivot: 'table-2',
  calendar: 'calendar',
  gantt: 'chart-gantt',
  map: 'map',
  cohort: 'grid-3x3',
}
