import type { ComponentChildren } from 'preact'
import { t } from '../../core/i18n.ts'
import type { FieldRecord } from '../../core/registries.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import type { LineColumn } from './columns.ts'
import { LineTotal } from './line-sums.tsx'

interface HeadProps {
  readonly columns: readonly LineColumn[]
  readonly hasHandle: boolean
}

/** The column that lines were sorted by, and whether downwards. */
export type LineSort = readonly [name: string, isDown: boolean] | null

interface LinesHeadProps extends HeadProps {
  readonly sort: LineSort
  readonly onSort: (column: LineColumn) => void
  readonly children?: ComponentChildren
}

export const LinesHead = ({ columns, hasHandle, sort, onSort, children }: LinesHeadProps) => (
  <div class="gh" role="rowgroup">
    <div class="gr head" role="row" aria-rowindex={1}>
      {hasHandle && (
        <div class="gc" role="columnheader">
          <span class="vh">{t('Move')}</span>
        </div>
      )}
      {columns.map((column) => {
        const { field, label, isNumeric } = column
        const isDown = sort?.[0] === field.name ? sort[1] : null
        return (
          <div
            key={field.name}
            class={classNames('gc', isNumeric && 'num')}
            role="columnheader"
            {...(isDown !== null && { 'aria-sort': isDown ? 'descending' : 'ascending' })}
          >
            <button
              type="button"
              tabIndex={column === columns[0] ? 0 : -1}
              onClick={() => onSort(column)}
              onKeyDown={({ key, currentTarget: { parentElement } }) => {
                const next = { ArrowLeft: 'previousSibling', ArrowRight: 'nextSibling' } as const
                const cell = key in next && parentElement?.[next[key as keyof typeof next]]
                if (cell instanceof Element) cell.querySelector('button')?.focus()
              }}
            >
              <span class="cut">{label}</span>
              {isDown !== null && <Icon name={isDown ? 'arrow-down' : 'arrow-up'} />}
            </button>
          </div>
        )
      })}
      <div class="gc ctl ends" role="columnheader">
        <span class="vh">{t('Actions')}</span>
        {children}
      </div>
    </div>
  </div>
)

interface TotalsProps extends HeadProps {
  readonly lines: readonly FieldRecord[]
  /** The record around them. */
  readonly record: FieldRecord
}

/** Totals of the columns for which the view asks for one, over all lines including unsaved values. */
export function LinesTotals({ columns, hasHandle, lines, record }: TotalsProps) {
  if (lines.length === 0 || columns.every(({ sum }) => sum === null)) return null
  return (
    <div class="gf" role="rowgroup">
      <div class="gr total" role="row">
        {hasHandle && <div class="gc" role="gridcell" />}
        {columns.map((column) => (
          <div
            key={column.field.name}
            class={classNames('gc', column.isNumeric && 'num')}
            role="gridcell"
            data-m={column.sum === null ? 'hide' : 'gsum'}
            {...(column.sum !== null && { 'data-tip': column.sum })}
          >
            {column.sum !== null && <LineTotal column={column} lines={lines} record={record} />}
          </div>
        ))}
        <div class="gc" role="gridcell" />
      </div>
    </div>
  )
}
