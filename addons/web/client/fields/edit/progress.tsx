import type { FieldProps } from '../../core/registries.ts'
import { Gauge } from '../display/number.tsx'
import { PercentInput } from './number.tsx'

/** A percentage with a progress bar; in a cell there is only room for the number. */
export const ProgressInput = (props: FieldProps) =>
  props.view === 'list' ? (
    <PercentInput {...props} />
  ) : (
    <span class="gauge edit">
      <PercentInput {...props} />
      <Gauge of={props} />
    </span>
  )
