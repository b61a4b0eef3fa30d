import { formatList } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { linkOf } from '../../fields/value/values.ts'
import type { GroupedRow } from '../../store/queries.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import type { MeasuredCurrency } from './analysis/currency.ts'

/** The wanted one of several currencies, or that of most records. */
export function chooseCurrency(
  groups: readonly GroupedRow[],
  field: string,
  wanted: string | undefined,
): MeasuredCurrency {
  const sorted = groups.toSorted((a, b) => b.__count - a.__count)
  const codes = sorted.map((row) => linkOf(row[field])?.name ?? '')
  const at = wanted === undefined ? 0 : Math.max(0, codes.indexOf(wanted))
  const code = codes[at] || null
  return { code, codes, where: [{ label: nameOf(code), domain: sorted[at]?.__domain ?? [] }] }
}

const nameOf = (code: string | null): string => code || t('No currency')

interface CurrencyChoiceProps {
  readonly of: MeasuredCurrency
  readonly onChoose: (code: string) => void
}

/** Chooses the currency whose amounts are shown, and says which are not. */
export function CurrencyChoice({ of: { code, codes }, onChoose }: CurrencyChoiceProps) {
  const others = codes.filter((each) => each !== (code ?? ''))
  return (
    <p class="curchoice">
      <MenuButton
        label={nameOf(code)}
        kind="ghost"
        size="sm"
        items={() =>
          codes.map((each) => ({ label: nameOf(each), isChosen: !others.includes(each), run: () => onChoose(each) }))
        }
      >
        <Icon name="chevron-down" size="s" />
      </MenuButton>
      <span role="status">
        {t('Amounts in several currencies are not added up. Not shown: {currencies}.', {
          currencies: formatList(others.map(nameOf)),
        })}
      </span>
    </p>
  )
}
