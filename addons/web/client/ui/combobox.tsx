import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { debounce, TYPEAHEAD_MS } from '../core/debounce.ts'
import { t } from '../core/i18n.ts'
import { isAbort } from '../net/errors.ts'
import { classNames } from './class-names.ts'
import { Icon, type IconProps } from './icon.tsx'
import { Marked } from './marked.tsx'
import { nextIndex } from './menu.tsx'
import { Popover } from './popover.tsx'

export interface Option<V> {
  readonly value: V
  readonly label: string
  readonly note?: string
  readonly icon?: IconProps['name']
}

export interface ComboboxProps<V> {
  readonly id: string
  /** Named by a `<label for>`, or by this. */
  readonly label?: string
  /** Text of the chosen value. */
  readonly text: string
  readonly placeholder?: string
  readonly icon?: IconProps['name']
  readonly class?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly isInvalid?: boolean
  readonly describedBy?: string
  /** Finds options for what was typed; a newer call aborts the older. */
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly Option<V>[]>
  readonly onChoose: (value: V) => void
  /** The text was emptied. */
  readonly onClear?: () => void
  /** Backspace in an empty field: takes the last tag away. */
  readonly onBack?: () => void
  /** Keeps the typed text out after a choice: tags. */
  readonly isMulti?: boolean
  /** Before the input: tags. */
  readonly before?: ComponentChildren
  /** After it: a button that opens the record. */
  readonly after?: ComponentChildren
}

/** A text field with suggestions: arrows move, Enter takes, Escape gives up, Tab takes what is marked when something was typed. */
export function Combobox<V>(props: ComboboxProps<V>) {
  const { text, find, onChoose } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [options, setOptions] = useState<readonly Option<V>[] | null>(null)
  const [marked, setMarked] = useState(0)
  const box = useRef<HTMLSpanElement>(null)
  const listId = useId()
  const latest = useRef(find)
  latest.current = find

  const search = useMemo(() => {
    let abort = new AbortController()
    const run = (query: string) => {
      abort.abort()
      abort = new AbortController()
      latest.current(query, abort.signal).then(
        (found) => {
          setOptions(found)
          setMarked(0)
        },
        (error: unknown) => {
          if (!isAbort(error)) setOptions([])
        },
      )
    }
    const later = debounce(run, TYPEAHEAD_MS)
    const stop = () => {
      later.cancel()
      abort.abort()
    }
    return { now: run, later, stop }
  }, [])
  useEffect(() => search.stop, [search])

  const close = () => {
    search.stop()
    setOptions(null)
    setTyped(null)
  }
  const choose = (option: Option<V> | undefined) => {
    if (!option) return
    close()
    onChoose(option.value)
  }
  const leave = () => {
    // An emptied field is a wish; half a word is none.
    if (typed === '' && text !== '' && !props.isMulti) props.onClear?.()
    close()
  }

  function press(event: KeyboardEvent): void {
    const { key } = event
    if (options === null) {
      if (key === 'ArrowDown' && !event.altKey) {
        event.preventDefault()
        search.now(typed ?? '')
      } else if (key === 'Backspace' && (typed ?? '') === '' && props.isMulti) props.onBack?.()
      return
    }
    const next = nextIndex(key, marked, options.length)
    if (next !== null && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault()
      setMarked(next)
    } else if (key === 'Enter' || (key === 'Tab' && typed !== null && typed !== '')) {
      if (key === 'Enter') event.preventDefault()
      event.stopPropagation()
      choose(options[marked])
    } else if (key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  const isOpen = options !== null
  return (
    <span class={classNames('combo', props.isMulti && 'tags-in', props.class)} ref={box}>
      {props.icon !== undefined && <Icon name={props.icon} />}
      {props.before}
      <input
        id={props.id}
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && options.length > 0 ? `${listId}-${marked}` : undefined}
        aria-label={props.label}
        aria-required={props.required || undefined}
        aria-invalid={props.isInvalid || undefined}
        aria-describedby={props.describedBy}
        disabled={props.disabled ?? false}
        placeholder={props.placeholder ?? ''}
        value={typed ?? (props.isMulti ? '' : text)}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          search.later(value)
        }}
        onClick={() => isOpen || search.now('')}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={leave}
        onKeyDown={press}
      />
      {props.after}
      {isOpen && (
        <Popover
          anchor={box}
          align="stretch"
          mode="manual"
          class="menu"
          id={listId}
          role="listbox"
          label={props.label ?? t('Suggestions')}
          onClose={close}
        >
          {options.map((option, index) => (
            <div
              key={`${index} ${option.label}`}
              id={`${listId}-${index}`}
              class="mi"
              role="option"
              aria-selected={index === marked}
              // The input keeps the focus; a press must not take it.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => marked !== index && setMarked(index)}
              onMouseUp={() => choose(option)}
              tabIndex={-1}
            >
              {option.icon !== undefined && <Icon name={option.icon} />}
              <span class="cut">
                <Marked text={option.label} part={typed ?? ''} />
              </span>
              {option.note !== undefined && <span class="end">{option.note}</span>}
            </div>
          ))}
          {options.length === 0 && (
            <div class="mi t3" role="option" aria-selected={false} aria-disabled="true" tabIndex={-1}>
              {t('Nothing found')}
            </div>
          )}
        </Popover>
      )}
    </span>
  )
}
