import { t } from '../../core/i18n.ts'
import { formatShort } from '../shared/measures.ts'
import type { ChartData } from './chart-data.ts'
import { markOfSeries } from './colours.ts'

interface FiguresProps {
  readonly data: ChartData
  readonly label: string
  readonly format: (value: number | null) => string
  readonly isPie: boolean
  /** Series that are not drawn. */
  readonly hidden: ReadonlySet<string>
  readonly onToggle: (key: string) => void
}

/** Most entries of a legend; the table names all. */
const MAX_LISTED = 12

/** The total and the legend; a series is shown or hidden by its entry. */
export function Figures({ data, label, format, isPie, hidden, onToggle }: FiguresProps) {
  const parts = isPie ? data.groups : data.hasSeries ? data.series : []
  const rest = parts.length - MAX_LISTED
  return (
    <div class="kpis">
      <div>
        <span class="t2 fs12">{label}</span>
        <b class="tn">{format(data.total.value) || '–'}</b>
      </div>
      {parts.length > 0 && (
        <ul class="legend">
          {parts.slice(0, MAX_LISTED).map((part, index) => (
            <li key={part.key} {...markOfSeries(part.key, index)}>
              {isPie ? (
                <span class="entry">
                  <i class="sw" />
                  {part.label}
                  <b class="tn">{formatShort(part.value ?? 0)}</b>
                </span>
              ) : (
                <button
                  type="button"
                  class="entry"
                  aria-pressed={!hidden.has(part.key)}
                  onClick={() => onToggle(part.key)}
                >
                  <i class="sw" />
                  {part.label}
                  <b class="tn">{formatShort(part.value ?? 0)}</b>
                </button>
              )}
            </li>
          ))}
          {rest > 0 && <li class="t3">{t('and {n} more', { n: rest })}</li>}
        </ul>
      )}
    </div>
  )
}
