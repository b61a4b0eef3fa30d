import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { services } from '../../services.ts'
import { readGroup } from '../../store/queries.ts'
import type { MeasureChoice } from './measures.ts'

/** The currencies of the amounts that are measured: what to write beside them, and whether they can be added up at all. */
export interface MeasuredCurrency {
  /** ISO code; null for none or several. */
  readonly code: string | null
  readonly isMixed: boolean
}

export const NO_CURRENCY: MeasuredCurrency = { code: null, isMixed: false }

export async function loadCurrency(
  model: string,
  domain: WireDomain,
  choices: readonly MeasureChoice[],
  signal: AbortSignal,
): Promise<MeasuredCurrency> {
  const field = choices.find((choice) => choice.field?.currencyField !== undefined)?.field?.currencyField
  if (field === undefined) return NO_CURRENCY
  const rows = await readGroup(services().rpc, model, { domain, groupby: [field] }, { limit: 2, signal })
  const [first] = rows
  const key = first?.[field]
  return { code: rows.length === 1 && Array.isArray(key) ? String(key[1]) : null, isMixed: rows.length > 1 }
}
