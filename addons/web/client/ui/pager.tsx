import { formatInteger } from '../core/format.ts'
import { t } from '../core/i18n.ts'
import { Button } from './button.tsx'

export interface PagerProps {
  /** Index of the first record shown, starting at 0. */
  readonly offset: number
  readonly limit: number
  readonly total: number
  /** If false, the total is shown as a lower bound. */
  readonly isExact?: boolean
  readonly onMove: (offset: number) => void
}

/** “81–160 of 1,284” with buttons for the previous and next page. */
export function Pager({ offset, limit, total, isExact = true, onMove }: PagerProps) {
  if (total === 0) return null
  const last = Math.min(offset + limit, total)
  const range = limit === 1 ? formatInteger(offset + 1) : `${formatInteger(offset + 1)}–${formatInteger(last)}`
  return (
    <span class="pager">
      <span aria-live="polite">
        <b>{range}</b> {t('of {total}', { total: `${formatInteger(total)}${isExact ? '' : '+'}` })}
      </span>
      <Button
        label={t('Previous')}
        icon="chevron-left"
        iconOnly
        kind="ghost"
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - limit))}
      />
      <Button
        label={t('Next')}
        icon="chevron-right"
        iconOnly
        kind="ghost"
        disabled={isExact && last >= total}
        onClick={() => onMove(offset + limit)}
      />
    </span>
  )
}
