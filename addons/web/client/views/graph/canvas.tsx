import type { TooltipModel } from 'chart.js'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import { whilePrinting } from '../../core/theme.ts'
import type { ChartData } from './chart-data.ts'
import { Chart, type ChartKind, type ChartLook, chartConfig } from './chart-options.ts'
import { markOfSeries, readColours } from './colours.ts'

export interface ChartCanvasProps {
  readonly data: ChartData
  readonly look: ChartLook
  /** Description of the picture in a sentence. */
  readonly label: string
  readonly format: (value: number | null) => string
  readonly onPick: (group: number, series: number | null) => void
  readonly canvasRef: { current: HTMLCanvasElement | null }
}

/** Room for a chart on a sheet of paper: by itself it would be drawn for the new width only after it was printed. */
const PAPER = { width: 640, height: 400 }

interface Tip {
  readonly group: number
  readonly x: number
  readonly y: number
  readonly width: number
}

/** The picture of a chart. The table has the same data, for screen readers. */
export function ChartCanvas({ data, look, label, format, onPick, canvasRef }: ChartCanvasProps) {
  const chart = useRef<Chart<ChartKind, number[]> | null>(null)
  const [tip, setTip] = useState<Tip | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    const draw = (shown: ChartLook) => {
      if (!canvasRef.current) return
      const config = chartConfig(data, shown, {
        onPick: (group, series) => pick.current(group, series),
        onTip: (tooltip) => setTip(tipOf(tooltip)),
      })
      const known = chart.current
      if (known && 'type' in known.config && known.config.type === look.kind) {
        known.data = config.data
        known.options = config.options ?? {}
        known.update()
        return
      }
      known?.destroy()
      chart.current = new Chart(canvasRef.current, config)
    }
    draw(look)
    return whilePrinting(
      () => {
        draw({ ...look, colours: readColours('light'), isStill: true })
        chart.current?.resize(PAPER.width, PAPER.height)
      },
      () => {
        draw(look)
        chart.current?.resize()
      },
    )
  }, [data, look])
  useEffect(() => () => chart.current?.destroy(), [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <div class="chart scroll-x" tabIndex={0} role="region" aria-label={label}>
      <div class="canvas" style={{ '--groups': look.kind === 'pie' ? 0 : data.groups.length }}>
        <canvas ref={canvasRef} role="img" aria-label={label} />
        {tip && <TipCard tip={tip} data={data} look={look} format={format} />}
      </div>
    </div>
  )
}

function tipOf(tooltip: TooltipModel<ChartKind> | null): Tip | null {
  const [point] = tooltip?.dataPoints ?? []
  return tooltip && point
    ? { group: point.dataIndex, x: tooltip.caretX, y: tooltip.caretY, width: tooltip.chart.width }
    : null
}

const MAX_LISTED = 10

interface TipProps extends Pick<ChartCanvasProps, 'data' | 'look' | 'format'> {
  readonly tip: Tip
}

/** The figures of one group: all series, largest last as in a stack, and their total. */
function TipCard({ tip, data, look, format }: TipProps) {
  const group = data.groups[tip.group]
  if (!group) return null
  const listed =
    look.kind === 'pie' || !data.hasSeries
      ? []
      : data.series
          .map((series, index) => ({ ...series, index, figure: series.figures[tip.group]?.value ?? null }))
          .filter(({ key, figure }) => figure !== null && !look.hidden.has(key))
  const isEnd = tip.x > tip.width / 2
  return (
    <div
      class="tip-card chart-tip"
      aria-hidden="true"
      style={{ top: '12px', ...(isEnd ? { right: `${tip.width - tip.x + 32}px` } : { left: `${tip.x + 32}px` }) }}
    >
      <b>{group.label}</b>
      {listed
        .slice(-MAX_LISTED)
        .reverse()
        .map(({ key, index, label, figure }) => (
          <span key={key} {...markOfSeries(key, index)}>
            <i class="sw" />
            {label}
            <em class="tn">{format(figure)}</em>
          </span>
        ))}
      <span class={listed.length > 0 ? 'sum' : undefined}>
        {t('Total')}
        <em class="tn">{format(group.value)}</em>
      </span>
    </div>
  )
}
