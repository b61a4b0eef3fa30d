import { formatInteger, formatPercent } from '../../../core/format.ts'
import { tn } from '../../../core/i18n.ts'
import { useNames } from '../../../fields/value/names.ts'
import { idsOf, linkOf } from '../../../fields/value/values.ts'
import type { Values } from '../../../store/records.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { titleOf } from '../../plan/arch.ts'
import type { Gantt } from '../model/gantt.ts'
import type { BarGroup, GanttRow, RecordRow } from '../model/rows.ts'
import { Bar } from './bar.tsx'

export const ROW_HEIGHT = 32

interface RowProps<R extends GanttRow> {
  readonly gantt: Gantt
  readonly row: R
  /** Its place among all rows. */
  readonly index: number
  readonly width: number
  /** Whether it is in the tab order. */
  readonly isCurrent: boolean
}

const place = (index: number, row: GanttRow) => ({
  role: 'row' as const,
  'aria-rowindex': index + 2,
  'data-key': row.key,
  style: { '--row-at': index, '--depth': row.depth },
})

export function GroupLine({ gantt, row, index, isCurrent }: RowProps<BarGroup>) {
  const at = gantt.partOf(row.from)
  return (
    <div class="grow-r grp" {...place(index, row)}>
      <div class="gl" role="rowheader">
        <button
          type="button"
          class="twist"
          aria-expanded={row.isOpen}
          tabIndex={isCurrent ? 0 : -1}
          onFocus={() => {
            gantt.current.value = row.key
          }}
          data-focus={`group-${row.key}`}
          onClick={() => gantt.toggle(row)}
        >
          <Icon name={row.isOpen ? 'chevron-down' : 'chevron-right'} />
          <span class="cut">{row.label}</span>
        </button>
        <span class="t3 tn fs12">
          {row.progress === null
            ? formatInteger(row.count)
            : `${formatInteger(row.count)} · ${formatPercent(row.progress / 100)}`}
        </span>
      </div>
      <div class="gt" role="gridcell" data-slot={row.key}>
        <span class="vh">{tn(row.count, '{n} record', '{n} records')}</span>
        <span class="gsum" style={{ '--at': at, '--long': gantt.partOf(row.to) - at }}>
          {row.progress !== null && <i style={{ '--done': row.progress / 100 }} />}
        </span>
        <Ghost gantt={gantt} row={row} />
      </div>
    </div>
  )
}

export function RecordLine({ gantt, row, index, width, isCurrent }: RowProps<RecordRow>) {
  return (
    <div class={classNames('grow-r', gantt.lifted.value?.id === row.id && 'held')} {...place(index, row)}>
      <div class="gl" role="rowheader">
        <span class="cut ind">{titleOf(gantt.arch, row.id, row.values)}</span>
        <People gantt={gantt} values={row.values} />
      </div>
      <div class="gt" role="gridcell" data-slot={row.key}>
        <Bar gantt={gantt} row={row} width={width} isCurrent={isCurrent} />
        <Ghost gantt={gantt} row={row} />
      </div>
    </div>
  )
}

/** The span of a new record while it is marked and named. */
function Ghost({ gantt, row }: { readonly gantt: Gantt; readonly row: GanttRow }) {
  const creating = gantt.creating.value
  if (creating?.row !== row.key) return null
  const at = gantt.partOf(creating.span.start)
  return <span class="gbar ghost" data-new style={{ '--at': at, '--long': gantt.partOf(creating.span.end) - at }} />
}

const MAX_PEOPLE = 3

/** The users of the first field of the view that links to users, unless the rows are grouped by it. */
function People({ gantt, values }: { readonly gantt: Gantt; readonly values: Values }) {
  const shown = gantt.arch.shown.find(({ field }) => field.relation === 'core.user')?.field
  const value = shown && values[shown.name]
  const ids = shown?.type === 'many2many' ? idsOf(value) : []
  const names = useNames('core.user', ids.slice(0, MAX_PEOPLE))
  const one = shown?.type === 'many2one' ? linkOf(value) : null
  const people = one ? [one] : names
  return people.length === 0 ? null : (
    <span class="avs">
      {people.map(({ id, name }) => (
        <Avatar key={id} id={id} name={name} />
      ))}
    </span>
  )
}
