import { t } from '../../core/i18n.ts'
import type { MeasuredCurrency } from './currency.ts'
import { CutNotice } from './cut-notice.tsx'

/** Says that a total of several currencies is no amount of any of them. */
export const CurrencyNotice = ({ of }: { readonly of: MeasuredCurrency | undefined }) =>
  of?.isMixed ? (
    <CutNotice>{t('The amounts are in several currencies and are added up without conversion.')}</CutNotice>
  ) : null
