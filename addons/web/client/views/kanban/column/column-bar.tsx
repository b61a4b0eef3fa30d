import { t } from '../../../core/i18n.ts'
import type { Board } from '../model/board.ts'

interface ColumnBarProps {
  readonly board: Board
  readonly shares: Readonly<Record<string, number>>
  readonly count: number
}

/** Order of the segments of the progress bar, from good to bad. */
const MOODS: readonly string[] = ['success', 'info', 'warning', 'danger', 'muted']

/** Progress bar with the share of each value; cards without a value leave it empty. */
export function ColumnBar({ board, shares, count }: ColumnBarProps) {
  const { progress } = board.arch
  if (!progress) return null
  const { field, colors } = progress
  const known = field.selection?.map(([key]) => key) ?? Object.keys(shares).filter((key) => key !== '')
  const keys = known.toSorted((a, b) => MOODS.indexOf(colors[a] ?? 'muted') - MOODS.indexOf(colors[b] ?? 'muted'))
  const parts = keys.map((key) => ({
    key,
    share: shares[key] ?? 0,
    label: field.selection?.find(([each]) => each === key)?.[1] ?? key,
  }))
  const rest = Math.max(0, count - parts.reduce((sum, { share }) => sum + share, 0))
  const words = [...parts.map(({ share, label }) => `${share} ${label}`), ...(rest > 0 ? [`${rest} ${t('none')}`] : [])]
  const text = `${field.label}: ${words.join(', ')}`
  return (
    <div class="bar" role="img" aria-label={text} data-tip={text}>
      {parts.map(({ key, share }) => (
        <span key={key} class={colors[key] ?? 'muted'} style={{ flex: share }} />
      ))}
      <span class="none" style={{ flex: count === 0 ? 1 : rest }} />
    </div>
  )
}
