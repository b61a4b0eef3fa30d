import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { debounce, TYPEAHEAD_MS } from '../core/debounce.ts'
import { t } from '../core/i18n.ts'
import { addLookup } from '../core/lookups.ts'
import { isAbort } from '../net/errors.ts'
import { classNames } from './class-names.ts'
import { Icon, type IconProps } from './icon.tsx'
import { Marked } from './marked.tsx'
import { nextIndex } from './menu.tsx'
import { Popover } from './popover.tsx'
import { type Leaving, settleText } from './settle-text.ts'
import { useTyped } from './use-typed.ts'

export interface Option<V> {
  readonly value: V
  readonly label: string
  readonly note?: string
  readonly icon?: IconProps['name']
  /** Whether the option creates something or leads to more; such an option is never chosen automatically. */
  readonly isNew?: boolean
}

export interface ComboboxProps<V> {
  readonly id: string
  /** Accessible name; omitted if a `<label for>` provides it. */
  readonly label?: string
  /** Text of the current value. */
  readonly text: string
  readonly placeholder?: string
  readonly icon?: IconProps['name']
  readonly class?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly isInvalid?: boolean
  readonly describedBy?: string
  /** Finds options for the typed text; a newer call aborts the older one. */
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly Option<V>[]>
  readonly onChoose: (value: V) => void
  /** Called with a message when the typed text matches nothing, and with null when that is over. Without it such a text is dropped. */
  readonly onProblem?: (message: string | null) => void
  /** Called when the text was deleted. */
  readonly onClear?: () => void
  /** Called for Backspace in an empty input, to remove the last tag. */
  readonly onBack?: () => void
  /** Clears the typed text after a choice, for tags. */
  readonly isMulti?: boolean
  /** Content before the input, such as tags. */
  readonly before?: ComponentChildren
  /** Content after the input, such as a button that opens the record. */
  readonly after?: ComponentChildren
}

interface Found<V> {
  /** The text these options were found for; the input may contain a newer one. */
  readonly query: string
  readonly options: readonly Option<V>[]
}

/**
 * A text input with suggestions. Arrow keys move, Enter chooses, Escape cancels, and Tab chooses the marked option if
 * something was typed. Only suggestions for the current text are chosen; if they are still loading, the choice waits
 * for them.
 */
export function Combobox<V>(props: ComboboxProps<V>) {
  const { text } = props
  const { text: typed, ...typing } = useTyped(props.isInvalid ?? false)
  const [found, setFound] = useState<Found<V> | null>(null)
  const [marked, setMarked] = useState(0)
  const box = useRef<HTMLSpanElement>(null)
  const listId = useId()
  const latest = useRef(props)
  latest.current = props
  /** The current text, to compare with when a response arrives. */
  const shown = useRef(typed)
  shown.current = typed
  /** The text at the last Enter, Tab or blur, while it is being looked up or if it matches nothing. */
  const left = useRef<string | null>(null)

  const show = (query: string, options: readonly Option<V>[]) => {
    setFound({ query, options })
    setMarked(0)
  }
  const search = useMemo(() => {
    let abort = new AbortController()
    const run = (query: string) => {
      abort.abort()
      abort = new AbortController()
      latest.current.find(query, abort.signal).then(
        (options) => show(query, options),
        (error: unknown) => {
          if (!isAbort(error)) show(query, [])
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

  const forget = () => {
    if (left.current !== null) latest.current.onProblem?.(null)
    left.current = null
  }
  const hide = () => {
    search.stop()
    setFound(null)
  }
  const close = () => {
    hide()
    typing.set(null)
    forget()
  }
  const choose = (option: Option<V> | undefined) => {
    if (!option) return
    close()
    latest.current.onChoose(option.value)
  }
  const refuse = (problem: string) => {
    const { onProblem } = latest.current
    if (onProblem) onProblem(problem)
    else close()
  }

  /** Chooses the option the text stands for, after looking it up if necessary. */
  function settle(query: string, leaving: Leaving): void {
    const take = (options: readonly Option<V>[]) => {
      const settled = settleText(query, options, leaving)
      if ('option' in settled) choose(settled.option)
      // After Enter the focus is still here, so the user can choose.
      else if (leaving === 'enter') show(query, options)
      else refuse(settled.problem)
    }
    const known = found?.query === query ? found.options : null
    left.current = query
    hide()
    if (known) {
      take(known)
      return
    }
    addLookup(
      latest.current.find(query, new AbortController().signal).then(
        (options) => shown.current === query && take(options),
        () => shown.current === query && refuse(t('“{text}” could not be looked up.', { text: query })),
      ),
    )
  }

  const isTyped = typed !== null && typed.trim() !== '' && typed !== text
  const leave = () => {
    typing.focus(false)
    // Emptying the field is a choice too: it clears the value.
    if (typed === '' && text !== '' && !props.isMulti) props.onClear?.()
    if (!isTyped) close()
    else if (left.current === typed) hide()
    else settle(typed, 'blur')
  }

  function press(event: KeyboardEvent): void {
    const { key } = event
    const isFresh = found !== null && found.query === (typed ?? '')
    if (key === 'Escape' && (found !== null || isTyped)) {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (key === 'Enter' && (found !== null || isTyped)) {
      event.preventDefault()
      event.stopPropagation()
      if (isFresh) choose(found.options[marked])
      else if (isTyped) settle(typed, 'enter')
    } else if (key === 'Tab' && isTyped && left.current !== typed) {
      const option = isFresh ? found.options[marked] : undefined
      if (option && option.isNew !== true) choose(option)
      else settle(typed, option ? 'blur' : 'tab')
    } else if (found === null) {
      if (key === 'ArrowDown' && !event.altKey) {
        event.preventDefault()
        search.now(typed ?? '')
      } else if (key === 'Backspace' && (typed ?? '') === '' && props.isMulti) props.onBack?.()
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      setMarked(nextIndex(key, marked, found.options.length) ?? marked)
    }
  }

  const options = found?.options ?? []
  const isOpen = found !== null
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
          typing.set(value)
          forget()
          search.later(value)
        }}
        onClick={() => isOpen || search.now('')}
        onFocus={({ currentTarget }) => {
          typing.focus(true)
          currentTarget.select()
        }}
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
              aria-description={option.note}
              // Keeps the focus in the input when an option is pressed.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => marked !== index && setMarked(index)}
              onMouseUp={() => choose(option)}
              tabIndex={-1}
            >
              {option.icon !== undefined && <Icon name={option.icon} />}
              <span class="cut">
                <Marked text={option.label} part={typed ?? ''} />
              </span>
              {/* Not part of the name: screen readers get it as the description. */}
              {option.note !== undefined && (
                <span class="cut t3" aria-hidden="true">
                  {option.note}
                </span>
              )}
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
