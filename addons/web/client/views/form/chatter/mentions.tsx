import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { escapeText } from '../../../../../../kernel/html/entities.ts'
import { htmlOfText } from '../../../../../../kernel/html/from-text.ts'
import { debounce, TYPEAHEAD_MS } from '../../../core/debounce.ts'
import { t } from '../../../core/i18n.ts'
import type { Person } from '../../../net/bus.ts'
import { services } from '../../../services.ts'
import { searchNames } from '../../../store/queries.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Marked } from '../../../ui/marked.tsx'
import { nextIndex } from '../../../ui/menu.tsx'
import { Popover } from '../../../ui/popover.tsx'
import type { WritingBox } from './writing-box.ts'

export interface MentionsProps {
  readonly box: WritingBox
  /** Other users who have the record open. */
  readonly others: ReadonlySignal<readonly Person[]>
}

/** The text typed after an `@`. */
interface Typed {
  /** Number of characters, including the `@`. */
  readonly length: number
  readonly name: string
}

interface Found extends Typed {
  readonly people: readonly Person[]
}

const BEFORE_CARET = /(?<![^\s(])@([^\s@][^\n@]{0,40})?$/u

function typedIn(box: WritingBox): Typed | null {
  const match = BEFORE_CARET.exec(box.beforeCaret() ?? '')
  return match && { length: match[0].length, name: match[1] ?? '' }
}

/**
 * The users whose names contain the text typed after an `@`. The focus stays in the text: arrow keys move, Enter and Tab choose,
 * Escape closes.
 */
export function Mentions({ box, others }: MentionsProps) {
  // Placed below the whole composer, so that its buttons stay visible.
  const anchor = useMemo(() => ({ current: box.element.closest<HTMLElement>('.composer') ?? box.element }), [box])
  const [found, setFound] = useState<Found | null>(null)
  const [marked, setMarked] = useState(0)
  const listId = useId()
  const people = found?.people ?? []
  const isOpen = people.length > 0

  const search = useMemo(() => {
    let abort = new AbortController()
    const later = debounce((typed: Typed) => {
      const { rpc, session } = services()
      abort.abort()
      abort = new AbortController()
      const domain = [['id', '!=', session.bootstrap.user.id]]
      searchNames(rpc, 'core.user', typed.name.trimEnd(), domain, { signal: abort.signal, limit: 6 }).then(
        (pairs) => {
          setFound({ ...typed, people: pairs.map(([id, name]) => ({ id, name })) })
          setMarked(0)
        },
        // Without access to users, or offline, the user can still type the whole name.
        () => setFound(null),
      )
    }, TYPEAHEAD_MS)
    const stop = () => {
      later.cancel()
      abort.abort()
      setFound(null)
    }
    return { later, stop }
  }, [])

  function choose(person: Person | undefined): void {
    if (!found || !person) return
    box.mention(person, found.length)
    search.stop()
  }

  function press(event: KeyboardEvent): void {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey) return
    const next = event.key.startsWith('Arrow') ? nextIndex(event.key, marked, people.length) : null
    if (next !== null) setMarked(next)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(people[marked])
    else if (event.key === 'Escape') search.stop()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const latest = useRef(press)
  latest.current = press

  useEffect(() => {
    const { element } = box
    const ending = new AbortController()
    const { signal } = ending
    element.addEventListener(
      'input',
      () => {
        const typed = typedIn(box)
        if (typed) search.later(typed)
        else search.stop()
      },
      { signal },
    )
    element.addEventListener('keydown', (event) => latest.current(event), { signal, capture: true })
    for (const type of ['blur', 'click']) element.addEventListener(type, search.stop, { signal })
    return () => {
      ending.abort()
      search.stop()
    }
  }, [box, search])

  useEffect(() => {
    const { element } = box
    if (!isOpen) return
    element.setAttribute('aria-controls', listId)
    element.setAttribute('aria-activedescendant', `${listId}-${marked}`)
    return () => {
      element.removeAttribute('aria-controls')
      element.removeAttribute('aria-activedescendant')
    }
  }, [isOpen, marked])

  if (!isOpen) return null
  const here = new Set(others.value.map(({ id }) => id))
  return (
    <Popover
      anchor={anchor}
      align="stretch"
      mode="manual"
      class="menu"
      id={listId}
      role="listbox"
      label={t('People')}
      onClose={search.stop}
    >
      {people.map((person, index) => (
        <div
          key={person.id}
          id={`${listId}-${index}`}
          class="mi"
          role="option"
          aria-selected={index === marked}
          // Keeps the focus in the text when an option is pressed.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => marked !== index && setMarked(index)}
          onMouseUp={() => choose(person)}
          tabIndex={-1}
        >
          <Avatar id={person.id} name={person.name} isNamed />
          <span class="cut">
            <Marked text={person.name} part={found?.name.trimEnd() ?? ''} />
          </span>
          {here.has(person.id) && <span class="end">{t('here now')}</span>}
        </div>
      ))}
    </Popover>
  )
}

const SPECIAL = /[\\^$.*+?()[\]{}|]/g

/** The message with links to those of these people that it still names; null if it names none of them. */
export function mentioningHtml(text: string, people: readonly Person[]): string | null {
  const named = people.filter(({ name }) => text.includes(`@${name}`))
  if (named.length === 0) return null
  const byName = new Map(named.map(({ id, name }) => [escapeText(`@${name}`), id]))
  // The longest first, since a name may begin with another one.
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length).map((name) => name.replace(SPECIAL, '\\$&'))
  const anyName = new RegExp(`(?<![^\\s(>])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return htmlOfText(text).replace(anyName, (name) => `<a data-mention="${byName.get(name)}">${name}</a>`)
}
