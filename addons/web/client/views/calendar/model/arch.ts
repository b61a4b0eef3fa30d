import type { WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { type PlanArch, parsePlanArch } from '../../plan/arch.ts'
import type { SpanFields } from '../../plan/span.ts'
import { isScale, type Scale } from './range.ts'

/** A calendar view, parsed once from its arch. */
export interface CalendarArch extends PlanArch {
  /** Null if the user may not read the field with the start. */
  readonly span: SpanFields | null
  readonly color: WireField | null
  readonly mode: Scale
  /** Fields whose values can be hidden at the side: the one with the colours, people and choices. */
  readonly filters: readonly WireField[]
  readonly mayMove: boolean
  readonly mayResize: boolean
}

const MAX_FILTERS = 3

export function parseCalendar(workspace: WireWorkspace): CalendarArch {
  const plan = parsePlanArch(workspace)
  const start = plan.fieldOf('date_start')
  const stop = plan.fieldOf('date_stop')
  const color = plan.fieldOf('color')
  const mode = plan.attrs['mode'] ?? 'month'
  const isFilter = ({ type, relation }: WireField) => type === 'selection' || relation === 'core.user'
  const filters = [...(color ? [color] : []), ...plan.shown.map(({ field }) => field).filter(isFilter)]
  const mayMove = plan.mayWrite && start !== null && !start.readonly
  return {
    ...plan,
    span: start && { start, stop, allDay: plan.fieldOf('all_day') },
    color,
    mode: isScale(mode) ? mode : 'month',
    filters: [...new Set(filters)].slice(0, MAX_FILTERS),
    mayMove,
    mayResize: mayMove && stop !== null && !stop.readonly,
  }
}
