import './currency-sums.css'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { formatMoney } from '../../core/format.ts'
import { tn } from '../../core/i18n.ts'
import { Popover } from '../../ui/popover.tsx'

/** A sum and the ISO code of its currency, which is empty for amounts without one. */
export type CurrencySum = readonly [currency: string, value: number]

interface CurrencySumsProps {
  /** The largest first. */
  readonly sums: readonly CurrencySum[]
  readonly draw: (value: number, currency: string | null) => ComponentChildren
  /** Whether there is only room for a number. */
  readonly isNarrow?: boolean
}

/** Sums that fit into a heading; of more the largest is shown, and the others behind a button. */
const MAX_SHOWN = 2

/** One sum for each currency: they are never added up. */
export function CurrencySums({ sums, draw, isNarrow = false }: CurrencySumsProps) {
  const rest = sums.length > MAX_SHOWN ? sums.slice(1) : []
  const shown = rest.length > 0 ? sums.slice(0, 1) : sums
  return (
    <span class="cursums">
      {shown.map(([currency, value]) => (
        <span key={currency}>{draw(value, currency || null)}</span>
      ))}
      {rest.length > 0 && <OtherSums sums={rest} isNarrow={isNarrow} />}
    </span>
  )
}

/** How many sums are not shown; a press shows them. */
function OtherSums({ sums, isNarrow }: { readonly sums: readonly CurrencySum[]; readonly isNarrow: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const others = sums.map(([currency, value]) => formatMoney(value, currency || null))
  const more = tn(sums.length, '{n} more currency', '{n} more currencies')
  return (
    <>
      <button
        type="button"
        aria-label={`${more}: ${others.join(' · ')}`}
        data-tip={others.join(' · ')}
        aria-expanded={isOpen}
        ref={button}
        onClick={() => setOpen(!isOpen)}
      >
        {isNarrow ? `+${sums.length}` : more}
      </button>
      {isOpen && (
        <Popover
          anchor={button}
          align="end"
          role="group"
          label={more}
          class="cursumlist"
          onClose={() => setOpen(false)}
        >
          <ul>
            {others.map((other) => (
              <li key={other} class="tn">
                {other}
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  )
}
