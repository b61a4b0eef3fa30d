import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import type { TileProps } from '../../../core/registries.ts'
import type { Row } from '../../../net/rpc.ts'
import { formatRoute, orderOf } from '../../../router/codec.ts'
import { useSearch } from '../../../search/query/search-model.ts'
import { recordPathOf } from '../../../search/record-links.ts'
import { services } from '../../../services.ts'
import { countRecords, searchRead } from '../../../store/queries.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type PlanArch, parsePlanArch, type ShownField, shownText } from '../../plan/arch.ts'
import { useLiveLoad } from '../../shared/live-load.ts'
import { TileBody } from '../../shared/tile/tile-body.tsx'

/** Rows that are read; the rest is one click away. */
const MAX_ROWS = 20
/** Columns below the name of a record. */
const MAX_DETAILS = 2

/** The first records of a list: the first column of text as name, the next ones below it, and an amount, a number or a state at the end. */
export function ListTile({ workspace, route }: TileProps) {
  const { model, arch } = workspace
  const search = useSearch(workspace, route)
  const plan = parsePlanArch(workspace)
  const columns = columnsOf(plan)
  const order = route.params.sort === undefined ? (arch.root.attrs['default_order'] ?? '') : orderOf(route.params.sort)
  const fields = arch.fields.map(({ name }) => name)
  const load = useLiveLoad([model], { domain: search.domain, order, fields }, async (signal) => {
    const { rpc } = services()
    const [rows, total] = await Promise.all([
      searchRead(rpc, model, search.domain, fields, { limit: MAX_ROWS, ...(order !== '' && { order }), signal }),
      countRecords(rpc, model, search.domain, { signal }),
    ])
    return { rows, total }
  })
  const loaded = load.value.value
  const path = recordPathOf(workspace)
  return (
    <TileBody load={load} isLoaded={loaded !== null} isEmpty={loaded?.total === 0}>
      {loaded && (
        <>
          <ul class="tilelist">
            {loaded.rows.map((row) => (
              <li key={row.id}>
                <a href={`${path}${row.id}`}>
                  <RowText plan={plan} columns={columns} row={row} />
                </a>
              </li>
            ))}
          </ul>
          <footer class="tilefoot">
            <a class="fs12" href={formatRoute(route)}>
              {t('All {n}', { n: formatInteger(loaded.total) })}
              <Icon name="arrow-right" size="s" />
            </a>
          </footer>
        </>
      )}
    </TileBody>
  )
}

interface Columns {
  readonly name: ShownField | undefined
  readonly details: readonly ShownField[]
  readonly end: ShownField | undefined
}

const NUMBERS = new Set(['float', 'integer'])

function columnsOf({ shown }: PlanArch): Columns {
  const visible = shown.filter(
    ({ node: { attrs }, field }) =>
      attrs['column_invisible'] === undefined && attrs['optional'] !== 'hide' && field.type !== 'one2many',
  )
  const usable = visible.filter(({ node }) => node.attrs['widget'] !== 'handle')
  const name = usable.find(({ field }) => field.type === 'char') ?? usable[0]
  const others = usable.filter((column) => column !== name && column.node.attrs['widget'] !== 'priority')
  const end =
    others.findLast(({ field }) => field.type === 'monetary') ??
    others.findLast(({ field }) => NUMBERS.has(field.type)) ??
    others.find(({ field }) => field.type === 'selection')
  return { name, details: others.filter((column) => column !== end).slice(0, MAX_DETAILS), end }
}

function RowText({ plan, columns, row }: { readonly plan: PlanArch; readonly columns: Columns; readonly row: Row }) {
  const text = (column: ShownField | undefined) => (column ? shownText(plan, column, row.id, row) : '')
  const details = columns.details.map(text).filter((each) => each !== '')
  return (
    <>
      <span class="grow">
        <span class="cut med">{text(columns.name) || `#${row.id}`}</span>
        <span class="cut fs12 t3">{details.join(' · ')}</span>
      </span>
      <span class="num tn">{text(columns.end)}</span>
    </>
  )
}
