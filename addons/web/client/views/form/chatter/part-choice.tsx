import { msg, t } from '../../../core/i18n.ts'
import type { ChatterPart } from '../../../net/chatter.ts'

const PARTS: readonly (readonly [part: ChatterPart | undefined, label: string])[] = [
  [undefined, msg('All')],
  ['messages', msg('Messages')],
  ['changes', msg('Changes')],
]

interface PartChoiceProps {
  readonly only: ChatterPart | undefined
  readonly onChoose: (only: ChatterPart | undefined) => void
}

/** The shown part of a record's history: messages of users, tracked changes, or both. */
export const PartChoice = ({ only, onChoose }: PartChoiceProps) => (
  <span class="seg" role="group" aria-label={t('Show')}>
    {PARTS.map(([part, label]) => (
      <button key={label} type="button" aria-pressed={part === only} onClick={() => onChoose(part)}>
        {t(label)}
      </button>
    ))}
  </span>
)
