import { formatInteger } from '../core/format.ts'
import { t, tn } from '../core/i18n.ts'
import type { ExportRows, ExportSource } from './request.ts'

/** How many records go into the file, as a number and as text. */
interface Counted {
  readonly count: number
  readonly text: string
}

/** The number of chosen records; null for all while their number is not known. */
export const countChosen = (
  { selected, matching, matchingText }: ExportSource,
  rows: ExportRows,
  all: number | null,
): Counted | null =>
  ({
    selected: { count: selected.length, text: formatInteger(selected.length) },
    matching: { count: matching, text: matchingText },
    all: all === null ? null : { count: all, text: formatInteger(all) },
  })[rows]

/** The text of the button. */
export const rowsLabel = (counted: Counted | null): string =>
  counted === null
    ? t('Export all records')
    : tn(counted.count, 'Export {n} record', 'Export {n} records', { n: counted.text })

interface RowChoiceProps {
  readonly source: ExportSource
  readonly rows: ExportRows
  readonly all: number | null
  readonly isDisabled: boolean
  readonly onChange: (rows: ExportRows) => void
}

/** Which records: those selected, those that match, or all. */
export function RowChoice({ source: { selected, matchingText }, rows, all, isDisabled, onChange }: RowChoiceProps) {
  const n = formatInteger(selected.length)
  const choices: readonly (readonly [ExportRows, string])[] = [
    ...(selected.length > 0 ? [['selected', tn(selected.length, '{n} selected', '{n} selected', { n })] as const] : []),
    ['matching', t('{n} matching', { n: matchingText })],
    ['all', all === null ? t('All') : t('All {n}', { n: formatInteger(all) })],
  ]
  return (
    <span class="seg xp-rows" role="group" aria-label={t('Records')}>
      {choices.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={rows === name}
          disabled={isDisabled}
          onClick={() => onChange(name)}
        >
          {label}
        </button>
      ))}
    </span>
  )
}
