import { useEffect, useRef } from 'preact/hooks'
import { hotkeys } from '../core/hotkeys.ts'
import { t } from '../core/i18n.ts'
import { Icon } from './icon.tsx'
import { Kbd } from './kbd.tsx'

export interface SearchBoxProps {
  readonly label: string
  /** Heading of the shortcut in the list of keys. */
  readonly group: string
  readonly text: string
  /** An example, if the label is not enough. */
  readonly placeholder?: string
  readonly class?: string
  readonly onInput: (text: string) => void
}

/** A search over one page; "/" leads to it. */
export function SearchBox({ label, group, text, placeholder, class: className, onInput }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => hotkeys.add({ keys: '/', label: t('Search'), group, run: () => input.current?.focus() }), [group])
  return (
    <div class={className ?? 'search'} role="search" aria-label={group}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="wide keyhint">
        <Kbd keys="/" />
      </span>
    </div>
  )
}
