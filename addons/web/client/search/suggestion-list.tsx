import type { RefObject } from 'preact'
import { t } from '../core/i18n.ts'
import type { Route } from '../router/codec.ts'
import { Icon } from '../ui/icon.tsx'
import { Marked } from '../ui/marked.tsx'
import { Popover } from '../ui/popover.tsx'
import type { Suggestion } from './query/suggestions.ts'

interface SuggestionListProps {
  readonly id: string
  readonly anchor: RefObject<HTMLElement | null>
  readonly suggestions: readonly Suggestion[]
  /** Index of the suggestion that Enter takes. */
  readonly marked: number
  readonly typed: string
  readonly onMark: (index: number) => void
  readonly onGo: (route: Route) => void
  readonly onClose: () => void
}

/** Suggestions for a typed text, below the search bar, which keeps the focus. */
export const SuggestionList = ({
  id,
  anchor,
  suggestions,
  marked,
  typed,
  onMark,
  onGo,
  onClose,
}: SuggestionListProps) => (
  <Popover
    anchor={anchor}
    align="stretch"
    mode="manual"
    class="menu suggest"
    id={id}
    role="listbox"
    label={t('Suggestions')}
    onClose={onClose}
  >
    {suggestions.map((suggestion, index) => (
      <div
        key={suggestion.key}
        id={`${id}-${index}`}
        class="mi"
        role="option"
        aria-selected={index === marked}
        tabIndex={-1}
        // Keeps the focus in the input when a suggestion is pressed.
        onMouseDown={(event) => event.preventDefault()}
        onMouseMove={() => marked !== index && onMark(index)}
        onMouseUp={() => onGo(suggestion.go())}
      >
        <Icon name={suggestion.icon} />
        <span class="cut">
          <span class="t3">{suggestion.lead}</span> <Marked text={suggestion.text} part={typed.trim()} />
        </span>
      </div>
    ))}
  </Popover>
)
