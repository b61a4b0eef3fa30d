import type { FieldProps } from '../../core/registries.ts'
import { Gauge } from '../display/number.tsx'
import { PercentInput } from './number.tsx'

/** The figure is typed, the bar follows; in a cell there is room for the figure only. */
export const ProgressInput = (props: FieldProps) =>
  props.view === 'list' ? (
    <PercentInput {...props} />
  ) : (
    <span class="gauge edit">
      <PercentInput {...props} />
      <Gauge of={props} />
    </span>
  )
