import { useEffect, useState } from 'preact/hooks'
import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { services } from '../../../services.ts'
import { readGroup } from '../../../store/queries.ts'
import { classNames } from '../../../ui/class-names.ts'
import { figureOf, loadAmounts, measureFor } from '../../shared/analysis/load-measure.ts'
import { COUNT, formatMeasure, type MeasureChoice, measureQuery } from '../../shared/analysis/measures.ts'
import type { ListArch } from '../column/arch.ts'
import type { Totals } from '../column/totals.ts'
import type { ListModel } from '../model/model.ts'

export interface MeasuredProps {
  readonly model: ListModel
  readonly totals: Totals
  /** The records it is the figure of. */
  readonly domain: WireDomain
}

interface Found {
  readonly measure: MeasureChoice
  readonly text: string
}

/** The figure of the tile or chart that opened the list, with its name, since the columns may show other sums. Loaded whenever the totals are. */
export function OpenedFigure({ model, totals, domain }: MeasuredProps) {
  const { arch, route, columns } = model
  const key = route.value.state['measure'] ?? COUNT
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    load(arch, key, domain, abort.signal).then(
      (loaded) => abort.signal.aborted || setFound(loaded),
      // The shown figure stays; the next load of the totals tries again.
      () => undefined,
    )
    return () => abort.abort()
  }, [key, totals])
  if (!found?.measure.field) return null
  const { measure, text } = found
  const isInColumn = columns.value.some(
    (column) => column.key === measure.key && column.kind === 'field' && column.total?.measure === measure.aggregate,
  )
  return (
    <span class={classNames('measured', isInColumn && 'incolumn')}>
      {measure.label} <b class="tn">{text}</b>
    </span>
  )
}

/** Loads the figure; null if it is only the number of records, which the footer shows anyway. */
async function load(
  { model, fields }: ListArch,
  key: string,
  domain: WireDomain,
  signal: AbortSignal,
): Promise<Found | null> {
  if (key === COUNT) return null
  const measure = await measureFor(model, fields, key)
  const amounts = await loadAmounts(model, domain, measure, signal)
  if (amounts.length > 0)
    return { measure, text: amounts.map(({ value, currency }) => formatMeasure(value, measure, currency)).join(' · ') }
  const query = { domain, groupby: [], fields: measureQuery([measure]) }
  const [row] = await readGroup(services().rpc, model, query, { signal })
  return { measure, text: formatMeasure(figureOf(row, measure), measure, null) }
}
