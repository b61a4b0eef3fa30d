import { deferred, deferredComponent } from '../../core/deferred.tsx'
import type { MeasuredCurrency } from './analysis/currency.ts'

/** Notices that few views show; loaded with the first one. */
export const notices = deferred(() => import('./deferred-chunk.ts'))

export const CutNotice = deferredComponent(notices, (loaded) => loaded.CutMessage)

const CurrencyChoice = deferredComponent(notices, (loaded) => loaded.CurrencyChoice)

interface CurrencyNoticeProps {
  readonly of: MeasuredCurrency | undefined
  readonly onChoose: (code: string) => void
}

/** Where amounts are in several currencies: says which are not shown, and lets choose another one. */
export const CurrencyNotice = ({ of, onChoose }: CurrencyNoticeProps) =>
  of?.codes.length ? <CurrencyChoice of={of} onChoose={onChoose} /> : null
