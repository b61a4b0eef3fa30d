import './kpi.css'
import { formatPercent } from '../../../core/format.ts'
import { msg, t } from '../../../core/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type FigureChange, SPARK, sparkline } from './sparkline.ts'

const ARROWS = { up: 'arrow-up-right', down: 'arrow-down-right', same: 'minus' } as const

/** Text for the arrow, for screen readers. */
const WORDS = { up: msg('up'), down: msg('down') } as const

/** An arrow and by how much. */
export function Trend({ change: { direction, fraction } }: { readonly change: FigureChange }) {
  return (
    <span class={direction}>
      <Icon name={ARROWS[direction]} size="s" />
      {direction !== 'same' && (
        <>
          <span class="vh">{t(WORDS[direction])} </span>
          {formatPercent(fraction, 1)}
        </>
      )}
    </span>
  )
}

/** A line without axes: how the values went. */
export function Spark({ values }: { readonly values: readonly number[] }) {
  const line = sparkline(values)
  const { width, height } = SPARK
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="a" d={`${line}L${width} ${height}L0 ${height}Z`} />
      <path class="l" d={line} />
    </svg>
  )
}
