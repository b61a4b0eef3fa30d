import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PieController,
  PointElement,
  Tooltip,
  type TooltipModel,
} from 'chart.js'
import { formatShort } from '../shared/analysis/measures.ts'
import type { ChartData } from './chart-data.ts'
import { type ChartColours, hueOfSeries, strengthOfSeries } from './colours.ts'

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PieController,
  PointElement,
  Tooltip,
)

export { Chart }

export const CHART_KINDS = ['bar', 'line', 'pie'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

export interface ChartLook {
  readonly kind: ChartKind
  readonly isStacked: boolean
  readonly isRtl: boolean
  readonly isStill: boolean
  readonly colours: ChartColours
  readonly font: string
  /** Keys of series that are not drawn. */
  readonly hidden: ReadonlySet<string>
}

export interface ChartEvents {
  /** Called when a part was clicked; `series` is null for the whole group. */
  readonly onPick: (group: number, series: number | null) => void
  readonly onTip: (tooltip: TooltipModel<ChartKind> | null) => void
}

const withAlpha = (rgb: string, alpha: number): string => rgb.replace('rgb(', 'rgba(').replace(')', `, ${alpha})`)

/** The colour of a part with a given strength. */
const colourOf =
  ({ series }: ChartColours, key: string, index: number) =>
  (alpha: number): string =>
    withAlpha(series[hueOfSeries(key, index)]!, alpha * strengthOfSeries(key, index))

function datasetsOf(
  data: ChartData,
  { kind, isStacked, colours, hidden }: ChartLook,
): ChartDataset<ChartKind, number[]>[] {
  if (kind === 'pie') {
    const parts = data.groups.map(({ key }, index) => colourOf(colours, key, index))
    return [
      {
        data: data.groups.map(({ value }) => Math.max(0, value ?? 0)),
        backgroundColor: parts.map((colour) => colour(0.86)),
        hoverBackgroundColor: parts.map((colour) => colour(1)),
        borderColor: colours.surface,
        borderWidth: 2,
      },
    ]
  }
  return data.series.flatMap((series, index): ChartDataset<ChartKind, number[]>[] => {
    if (hidden.has(series.key)) return []
    const colour = colourOf(colours, series.key, index)
    const own = { label: series.label, data: series.figures.map(({ value }) => value ?? 0) }
    return kind === 'bar'
      ? [
          {
            ...own,
            backgroundColor: colour(0.86),
            hoverBackgroundColor: colour(1),
            borderColor: colours.surface,
            borderWidth: isStacked ? 1 : 0,
            borderRadius: 2,
            maxBarThickness: 56,
          },
        ]
      : [
          {
            ...own,
            borderColor: colour(1),
            backgroundColor: colour(isStacked ? 0.22 : 0),
            pointBackgroundColor: colour(1),
            // Each area ends at the line below it, so that none is mixed with another's colour.
            fill: isStacked && 'stack',
            borderWidth: 2,
            pointRadius: data.groups.length > 60 ? 0 : 3,
            tension: 0.2,
          },
        ]
  })
}

/** The whole configuration, made anew for each drawing: Chart.js compares and animates the difference. */
export function chartConfig(
  data: ChartData,
  look: ChartLook,
  events: ChartEvents,
): ChartConfiguration<ChartKind, number[]> {
  const { kind, isStacked, isRtl, isStill, colours, font, hidden } = look
  const shownSeries = data.series.flatMap(({ key }, index) => (hidden.has(key) ? [] : [index]))
  const ticks = { color: colours.text, font: { family: font, size: 12 } }
  const axes = {
    x: {
      stacked: isStacked,
      reverse: isRtl,
      grid: { display: false },
      border: { color: colours.baseline },
      ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 8 },
    },
    y: {
      stacked: isStacked,
      beginAtZero: true,
      position: isRtl ? ('right' as const) : ('left' as const),
      grid: { color: colours.line, drawTicks: false },
      border: { display: false },
      ticks: {
        ...ticks,
        padding: 8,
        maxTicksLimit: 6,
        callback: (value: number | string) => formatShort(Number(value)),
      },
    },
  }
  return {
    type: kind,
    data: { labels: axisLabels(data), datasets: datasetsOf(data, look) },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: isStill ? false : { duration: 150 },
      animations: { colors: false },
      interaction: kind === 'pie' ? { mode: 'nearest' } : { mode: 'index', intersect: false },
      plugins: {
        tooltip: {
          enabled: false,
          external: ({ tooltip }) => events.onTip(tooltip.opacity === 0 ? null : (tooltip as TooltipModel<ChartKind>)),
        },
      },
      scales: kind === 'pie' ? {} : axes,
      onClick(event, _, chart) {
        const [hit] = chart.getElementsAtEventForMode(event as unknown as Event, 'nearest', { intersect: true }, true)
        const [column] = hit
          ? [hit]
          : chart.getElementsAtEventForMode(event as unknown as Event, 'index', { intersect: false }, true)
        if (!column) return
        const series = kind === 'pie' || !data.hasSeries || !hit ? null : (shownSeries[hit.datasetIndex] ?? null)
        events.onPick(column.index, series)
      },
      onHover(event, elements) {
        const { target } = event.native ?? {}
        if (target instanceof HTMLElement) target.style.cursor = elements.length > 0 ? 'pointer' : ''
      },
    },
  }
}

/** The year only where it changes. */
function axisLabels({ groups }: ChartData): (string | string[])[] {
  return groups.map(({ short }, index) => {
    const [first = '', year] = short
    if (year === undefined) return first.length > 24 ? `${first.slice(0, 23)}…` : first
    return groups[index - 1]?.short[1] === year ? first : [first, year]
  })
}
