import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { linkOf } from '../../../fields/value/values.ts'
import type { OwnFilter } from '../../../search/query/search-state.ts'
import { services } from '../../../services.ts'
import { readGroup } from '../../../store/queries.ts'
import { notices } from '../notices.tsx'
import type { MeasureChoice } from './measures.ts'

/** The currency of the amounts that are measured. Where there are several, those of one are shown at a time: they are never added up. */
export interface MeasuredCurrency {
  /** ISO code; null for none. */
  readonly code: string | null
  /** Where there are several: what to choose from, most records first, and the filter of the one that is shown. */
  readonly codes: readonly string[]
  readonly where: readonly OwnFilter[]
}

export const NO_CURRENCY: MeasuredCurrency = { code: null, codes: [], where: [] }

/** The title of a view, which names the currency where it is one of several: files are named after it, too. */
export const titleIn = ({ where }: MeasuredCurrency, title: string): string =>
  [title, ...where.map(({ label }) => label)].join(', ')

/**
 * Loads figures in one currency: the one that is asked for, otherwise that of most records, which stays when others become more. The
 * currencies are asked for together with the figures of all records, which are what is wanted as long as there is only one.
 */
export function inOneCurrency<T extends object>(
  model: string,
  domain: WireDomain,
  choices: readonly MeasureChoice[],
  asked: string | undefined,
  load: (domain: WireDomain, signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T & { readonly currency: MeasuredCurrency }> {
  const field = choices.find((choice) => choice.field?.currencyField)?.field?.currencyField ?? ''
  let wanted = asked
  return async (signal) => {
    const [found, rows] = await Promise.all([
      load(domain, signal),
      field ? readGroup(services().rpc, model, { domain, groupby: [field] }, { signal }) : [],
    ])
    if (rows.length < 2) return { ...found, currency: { ...NO_CURRENCY, code: linkOf(rows[0]?.[field])?.name ?? null } }
    const currency = (await notices.load()).chooseCurrency(rows, field, wanted)
    wanted = currency.code ?? ''
    return { ...(await load([...domain, ...currency.where[0]!.domain], signal)), currency }
  }
}
