import { useLayoutEffect, useRef } from 'preact/hooks'
import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { moneyParts } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { loadTableKeys } from '../shared/analysis/deferred-table-keys.ts'
import { type MeasureChoice, measureOf } from '../shared/analysis/measures.ts'
import { figureText } from './figure-text.ts'
import type { HeadCell, PivotData, PivotHead, PivotNode, PivotOrder } from './pivot-data.ts'
import type { Axis } from './state.ts'

export interface PivotTableProps {
  readonly title: string
  readonly data: PivotData
  readonly head: PivotHead
  readonly rows: readonly PivotNode[]
  /** How many more rows there are than are drawn. */
  readonly hidden: number
  readonly measures: readonly MeasureChoice[]
  /** ISO code of the amounts; null for none or several. */
  readonly currency: string | null
  readonly order: PivotOrder | null
  /** Columns of periods: a table that is wider than its box opens with the newest ones and the total in view. */
  readonly isByTime: boolean
  readonly openRows: ReadonlySet<string>
  readonly hrefOf: (label: string, domain: WireDomain, measure: MeasureChoice) => string
  readonly onSort: (col: string, measure: string) => void
  /** Opens or closes a group; without a further level the button asks for one. */
  readonly onToggle: (axis: Axis, node: PivotNode, button: HTMLButtonElement) => void
  readonly onMore: () => void
}

/** Scrolls a table that is too wide to its end. The headings of the rows take what is left of the width, so that no column is cut. */
function showEnd(box: HTMLElement): void {
  const axes = box.querySelector<HTMLElement>('.axes')?.offsetWidth ?? 0
  if (box.scrollWidth <= box.clientWidth) return
  const room = box.clientWidth - axes
  /** What is left beside the last cells of a row that fit; nothing if none does. */
  const restOf = (row: string): number => {
    let rest = room
    for (const { offsetWidth } of [...box.querySelectorAll<HTMLElement>(`thead ${row} > th`)].toReversed()) {
      if (offsetWidth > rest) break
      rest -= offsetWidth
    }
    return rest === room ? 0 : rest
  }
  box.style.setProperty('--axes', `${axes + (restOf('tr:first-child') || restOf('tr:last-child'))}px`)
  box.scrollLeft = document.dir === 'rtl' ? -box.scrollWidth : box.scrollWidth
}

/** The figures, with the headings of both axes always in sight. */
export function PivotTable(props: PivotTableProps) {
  const { title, data, head, rows, hidden, measures, isByTime, openRows, onToggle, onMore } = props
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (current && isByTime) showEnd(current)
  }, [isByTime])
  return (
    <div class="pivotscroll" data-scroll="view" ref={box}>
      <table class="tbl pivot" ref={loadTableKeys}>
        <caption class="vh">{title}</caption>
        <thead>
          {head.levels.map((cells, level) => (
            <tr key={level}>
              {level === 0 && <td rowSpan={head.levels.length + 1} class="axes" />}
              {cells.map((cell) => (
                <HeadGroup
                  key={cell.node.path}
                  cell={cell}
                  measures={measures.length}
                  isTotal={cell.node === data.cols}
                  onToggle={onToggle}
                />
              ))}
            </tr>
          ))}
          <tr>
            {head.columns.map((col) =>
              measures.map((measure, index) => (
                <MeasureHead
                  key={`${col.path}|${measure.key}`}
                  {...props}
                  col={col}
                  measure={measure}
                  isFirst={index === 0}
                />
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.path} class={row.depth > 1 ? 'l1' : undefined}>
              <th scope="row" style={{ '--depth': row.depth - 1 }}>
                <Twist
                  node={row}
                  isOpen={openRows.has(row.path)}
                  onToggle={(button) => onToggle('rows', row, button)}
                />
              </th>
              <Cells {...props} row={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('Total')}</th>
            <Cells {...props} row={data.rows} />
          </tr>
        </tfoot>
      </table>
      {hidden > 0 && (
        <p class="morerows">
          <Button label={tn(hidden, 'Show {n} more row', 'Show {n} more rows')} onClick={onMore} />
        </p>
      )}
    </div>
  )
}

interface TwistProps {
  readonly node: PivotNode
  readonly isOpen: boolean
  readonly onToggle: (button: HTMLButtonElement) => void
}

const Twist = ({ node, isOpen, onToggle }: TwistProps) => (
  <button
    type="button"
    class="twist"
    {...(node.children.length > 0 ? { 'aria-expanded': isOpen } : { 'aria-haspopup': 'menu' as const })}
    onClick={(event) => onToggle(event.currentTarget)}
  >
    <Icon name={isOpen ? 'minus' : 'plus'} />
    {node.label}
  </button>
)

interface HeadGroupProps {
  readonly cell: HeadCell
  readonly measures: number
  readonly isTotal: boolean
  readonly onToggle: PivotTableProps['onToggle']
}

const HeadGroup = ({ cell: { node, width, height, isOpen }, measures, isTotal, onToggle }: HeadGroupProps) => (
  <th
    scope={width * measures > 1 ? 'colgroup' : 'col'}
    colSpan={width * measures}
    rowSpan={height}
    class={classNames('gs', isTotal && 'tot')}
  >
    {isTotal && node.children.length > 0 ? (
      node.label
    ) : (
      <Twist node={node} isOpen={isOpen} onToggle={(button) => onToggle('cols', node, button)} />
    )}
  </th>
)

interface MeasureHeadProps extends PivotTableProps {
  readonly col: PivotNode
  readonly measure: MeasureChoice
  readonly isFirst: boolean
}

function MeasureHead({ data, col, measure, isFirst, currency, order, onSort }: MeasureHeadProps) {
  const isSorted = order?.col === col.path && order.measure === measure.key
  const direction = isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined
  return (
    <th
      scope="col"
      class={classNames('num', isFirst && 'gs', col === data.cols && 'tot')}
      {...(direction && { 'aria-sort': direction })}
    >
      <button type="button" class="srt" onClick={() => onSort(col.path, measure.key)}>
        {isMoney(measure) && currency !== null ? `${measure.label}, ${moneyParts(0, currency).symbol}` : measure.label}
        {direction && <Icon name={direction === 'descending' ? 'arrow-down' : 'arrow-up'} />}
      </button>
    </th>
  )
}

const isMoney = ({ field, aggregate }: MeasureChoice): boolean =>
  field?.type === 'monetary' && aggregate !== 'count_distinct'

function Cells({ data, head, measures, row, currency, hrefOf }: PivotTableProps & { readonly row: PivotNode }) {
  return (
    <>
      {head.columns.map((col) => {
        const group = data.cell(row, col)
        const label = [...row.labels, ...col.labels].join(', ')
        return measures.map((measure, index) => (
          <td
            key={`${col.path}|${measure.key}`}
            class={classNames('num tn', index === 0 && 'gs', col === data.cols && 'tot')}
          >
            {group && (
              <a href={hrefOf(label, group.__domain, measure)}>
                {figureText(measureOf(group, measure), measure, currency)}
              </a>
            )}
          </td>
        ))
      })}
    </>
  )
}
