import './column-bar.css'
import { useRef, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { Popover } from '../../../ui/popover.tsx'
import type { Board } from '../model/board.ts'

interface ColumnBarProps {
  readonly board: Board
  readonly shares: Readonly<Record<string, number>>
  readonly count: number
}

/** Order of the segments of the progress bar, from good to bad. */
const COLOR_ORDER: readonly string[] = ['success', 'info', 'warning', 'danger', 'muted']

/** Progress bar with the share of each value; cards without a value leave it empty. A press tells what its colours mean. */
export function ColumnBar({ board, shares, count }: ColumnBarProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { progress } = board.arch
  if (!progress) return null
  const { field, colors } = progress
  const known = field.selection?.map(([key]) => key) ?? Object.keys(shares).filter((key) => key !== '')
  const keys = known.toSorted(
    (a, b) => COLOR_ORDER.indexOf(colors[a] ?? 'muted') - COLOR_ORDER.indexOf(colors[b] ?? 'muted'),
  )
  const parts = keys.map((key) => ({
    key,
    share: shares[key] ?? 0,
    label: field.selection?.find(([each]) => each === key)?.[1] ?? key,
  }))
  const rest = Math.max(0, count - parts.reduce((sum, { share }) => sum + share, 0))
  const words = [...parts.map(({ share, label }) => `${share} ${label}`), ...(rest > 0 ? [`${rest} ${t('none')}`] : [])]
  const text = `${field.label}: ${words.join(', ')}`
  const legend = [
    ...parts.map(({ key, share, label }) => ({ hue: colors[key] ?? 'muted', share, label })),
    ...(rest > 0 ? [{ hue: 'none', share: rest, label: t('none') }] : []),
  ]
  return (
    <>
      <button
        type="button"
        class="barlegend"
        aria-label={text}
        data-tip={text}
        aria-expanded={isOpen}
        ref={button}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="bar">
          {parts.map(({ key, share }) => (
            <span key={key} class={colors[key] ?? 'muted'} style={{ flex: share }} />
          ))}
          <span class="none" style={{ flex: count === 0 ? 1 : rest }} />
        </span>
      </button>
      {isOpen && (
        <Popover anchor={button} role="group" label={field.label} class="barparts" onClose={() => setOpen(false)}>
          <h3>{field.label}</h3>
          <ul>
            {legend.map(({ hue, share, label }) => (
              <li key={label}>
                <i class={hue} />
                {label}
                <b class="tn">{share}</b>
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  )
}
