import { t } from '../../core/i18n.ts'
import { formatShort } from '../shared/analysis/measures.ts'
import type { ChartData } from './chart-data.ts'
import { markOfSeries } from './colours.ts'

interface LegendProps {
  readonly data: ChartData
  readonly isPie: boolean
  /** Series that are not drawn. */
  readonly hidden: ReadonlySet<string>
  readonly onToggle: (key: string) => void
}

interface FiguresProps extends LegendProps {
  readonly label: string
  readonly format: (value: number | null) => string
}

/** Most entries of a legend; the table names all. */
const MAX_LISTED = 12

/** The total and the legend. */
export const Figures = ({ label, format, ...legend }: FiguresProps) => (
  <div class="kpis">
    <div>
      <span class="t2 fs12">{label}</span>
      <b class="tn">{format(legend.data.total.value) || '–'}</b>
    </div>
    <Legend {...legend} />
  </div>
)

/** What each colour is; a series is shown or hidden by its entry. */
export function Legend({ data, isPie, hidden, onToggle }: LegendProps) {
  const parts = isPie ? data.groups : data.hasSeries ? data.series : []
  const rest = parts.length - MAX_LISTED
  if (parts.length === 0) return null
  return (
    <ul class="legend">
      {parts.slice(0, MAX_LISTED).map((part, index) => {
        const text = (
          <>
            <i class="sw" />
            {part.label}
            <b class="tn">{formatShort(part.value ?? 0)}</b>
          </>
        )
        return (
          <li key={part.key} {...markOfSeries(part.key, index)}>
            {isPie ? (
              <span class="entry">{text}</span>
            ) : (
              <button
                type="button"
                class="entry"
                aria-pressed={!hidden.has(part.key)}
                onClick={() => onToggle(part.key)}
              >
                {text}
              </button>
            )}
          </li>
        )
      })}
      {rest > 0 && <li class="t3">{t('and {n} more', { n: rest })}</li>}
    </ul>
  )
}
