import type { WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { type PlanArch, parsePlanArch } from '../../plan/arch.ts'
import type { SpanFields } from '../../plan/span.ts'
import { GANTT_SCALES, type GanttScale } from './scale.ts'

/** A gantt view, parsed once from its arch. */
export interface GanttArch extends PlanArch {
  /** Null if the user may not read the dates. */
  readonly span: SpanFields | null
  readonly color: WireField | null
  readonly progress: WireField | null
  /** Links to the records that have to be done before. */
  readonly dependency: WireField | null
  /** Conditions that mark a bar. */
  readonly marks: readonly (readonly [look: string, condition: string])[]
  readonly groupBy: string
  readonly scale: GanttScale
  readonly mayMove: boolean
}

const MARK = 'decoration-'

export function parseGantt(workspace: WireWorkspace): GanttArch {
  const plan = parsePlanArch(workspace)
  const { attrs } = plan
  const start = plan.fieldOf('date_start')
  const stop = plan.fieldOf('date_stop')
  return {
    ...plan,
    span: start && stop && { start, stop, allDay: null },
    color: plan.fieldOf('color'),
    progress: plan.fieldOf('progress'),
    dependency: plan.fieldOf('dependency_field'),
    marks: Object.entries(attrs).flatMap(([name, condition]) =>
      name.startsWith(MARK) ? [[name.slice(MARK.length), condition] as const] : [],
    ),
    groupBy: attrs['default_group_by'] ?? '',
    scale: GANTT_SCALES.find((scale) => scale === attrs['default_scale']) ?? 'month',
    mayMove: plan.mayWrite && start !== null && !start.readonly && stop !== null && !stop.readonly,
  }
}
