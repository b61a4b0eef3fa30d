import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { ChartData, Figure } from './chart-data.ts'

interface ChartTableProps {
  readonly data: ChartData
  readonly title: string
  /** What the groups along the axis are. */
  readonly axis: string
  readonly format: (value: number | null) => string
  readonly hrefOf: (label: string, domain: WireDomain) => string
}

/** The figures of a chart as a table; each is a link to its records. */
export function ChartTable({ data, title, axis, format, hrefOf }: ChartTableProps) {
  const cell = ({ value, domain }: Figure, ...labels: readonly string[]) => (
    <td class="num tn">{domain !== null && <a href={hrefOf(labels.join(', '), domain)}>{format(value) || '–'}</a>}</td>
  )
  const series = data.hasSeries ? data.series : []
  return (
    <div class="scroll-x">
      <table class="tbl charttable">
        <caption class="vh">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{axis}</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col" class="num">
                {label}
              </th>
            ))}
            <th scope="col" class="num">
              {t('Total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.groups.map((group, index) => (
            <tr key={group.key}>
              <th scope="row">{group.label}</th>
              {series.map(({ label, figures }) => cell(figures[index]!, group.label, label))}
              {cell(group, group.label)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('Total')}</th>
            {series.map((each) => cell(each, each.label))}
            {cell(data.total)}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
