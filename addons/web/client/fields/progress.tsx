import { type FieldProps, formatPercent } from '../sdk.ts'
import { labelOf } from './control.ts'
import { PercentField } from './number.tsx'
import { ReadOnly } from './read-only.tsx'
import { numberOf } from './values.ts'

/** How far something is, 0 to 100, as a bar and a figure. */
export function ProgressField(props: FieldProps) {
  const value = numberOf(props.value)
  const filled = Math.max(0, Math.min(100, value ?? 0))
  const bar = (
    <span
      class="bar"
      role="progressbar"
      aria-label={labelOf(props)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(filled)}
    >
      <span class={filled >= 100 ? 'success' : ''} style={{ width: `${filled}%` }} />
    </span>
  )
  if (props.readonly) {
    return value === null ? (
      <ReadOnly of={props} />
    ) : (
      <ReadOnly of={props} class="meter">
        {bar}
        <span class="tn">{formatPercent(value / 100)}</span>
      </ReadOnly>
    )
  }
  return props.view === 'list' ? (
    <PercentField {...props} />
  ) : (
    <span class="meter edit">
      <PercentField {...props} />
      {bar}
    </span>
  )
}
