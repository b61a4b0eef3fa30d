import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { formatPercent } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { loadTableKeys } from '../shared/analysis/deferred-table-keys.ts'
import { INTERVAL_LABELS, type Interval } from '../shared/analysis/intervals.ts'
import type { CohortData } from './cohort-data.ts'

interface CohortTableProps {
  readonly data: CohortData
  readonly title: string
  /** Names of the first two columns. */
  readonly start: string
  readonly measure: string
  readonly interval: Interval
  readonly format: (value: number | null) => string
  readonly hrefOf: (label: string, domain: WireDomain) => string
}

const offsetLabel = (offset: number, interval: Interval): string =>
  offset === 0 ? `${t(INTERVAL_LABELS[interval])} 0` : offset > 0 ? `+${offset}` : `−${-offset}`

/** A row per cohort and a column per period after its start; the stronger the colour, the larger the share. */
export function CohortTable({ data, title, start, measure, interval, format, hrefOf }: CohortTableProps) {
  return (
    <div class="scroll-x">
      <table class="cohort" ref={loadTableKeys}>
        <caption class="vh">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{start}</th>
            <th scope="col" class="num">
              {measure}
            </th>
            {data.offsets.map((offset) => (
              <th key={offset} scope="col">
                {offsetLabel(offset, interval)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.cohorts.map(({ day, label, total, domain, cells }) => (
            <tr key={day}>
              <th scope="row">{label}</th>
              <td class="num">
                <a href={hrefOf(label, domain)}>{format(total)}</a>
              </td>
              {cells.map((cell, index) =>
                cell === null ? (
                  <td key={data.offsets[index]} />
                ) : (
                  <td key={cell.offset} class="h" style={{ '--p': Math.round(cell.share * 100) }}>
                    <a
                      href={hrefOf(`${label}, ${offsetLabel(cell.offset, interval)}`, cell.domain)}
                      data-tip={t('{value} of {total}', { value: format(cell.value), total: format(total) })}
                    >
                      {formatPercent(cell.share)}
                    </a>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('Average')}</th>
            <td />
            {data.averages.map((share, index) => (
              <td key={data.offsets[index]}>{share === null ? '' : formatPercent(share)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
