import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import type { WireWorkspace } from '../../../../kernel/view/wire.ts'
import { debounce, TYPEAHEAD_MS } from '../core/debounce.ts'
import { deferredParts } from '../core/deferred-parts.ts'
import { hotkeys } from '../core/hotkeys.ts'
import { t } from '../core/i18n.ts'
import { isAbort } from '../net/errors.ts'
import type { Route } from '../router/codec.ts'
import { services } from '../services.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { nextIndex } from '../ui/menu.tsx'
import { searchChanges } from './query/change-search.ts'
import { type Facet, facetsOf } from './query/facets.ts'
import type { Suggestion } from './query/suggestions.ts'

interface SearchBarProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  /** Default grouping of the view. */
  readonly groupFallback: string
}

/** The search bar: active facets, and an input with suggestions. Backspace in an empty input removes the last facet. */
export function SearchBar({ workspace, route, groupFallback }: SearchBarProps) {
  const { router } = services()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [marked, setMarked] = useState(0)
  const records = useRecordSuggestions(workspace, route)
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const facets = facetsOf(workspace, route, groupFallback)
  const { SuggestionList, suggestionsFor } = deferredParts.value ?? {}
  const offered = suggestionsFor?.(workspace, route, typed) ?? []
  const suggestions = isOpen ? [...offered, ...records.found] : []

  useEffect(
    () =>
      hotkeys.add({
        keys: '/',
        label: t('Search'),
        group: t('Records'),
        run: () => input.current?.focus(),
      }),
    [],
  )

  const close = () => {
    setOpen(false)
    setMarked(0)
    records.stop()
  }
  const go = (next: Route) => {
    setTyped('')
    close()
    void router.go(next)
  }
  const take = () => {
    if (typed.trim() === '') return
    // If Enter is pressed before suggestions are shown, the text itself is searched for.
    go(suggestions[marked]?.go() ?? searchChanges(workspace, route).findText(typed.trim()))
  }
  const removeFacet = (facet: Facet | undefined) => {
    if (facet) void router.go(facet.without())
    input.current?.focus()
  }

  function press(event: KeyboardEvent): void {
    const { key } = event
    const next = nextIndex(key, marked, suggestions.length)
    if (key === 'Backspace' && typed === '') {
      event.preventDefault()
      removeFacet(facets.at(-1))
    } else if (next !== null && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault()
      setMarked(next)
    } else if (key === 'Enter') {
      event.preventDefault()
      take()
    } else if (key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      if (isOpen || typed !== '') {
        setTyped('')
        close()
      } else input.current?.blur()
    }
  }

  return (
    <div class="search" role="search" aria-label={t('Records')} ref={box}>
      <Icon name="search" />
      {facets.map((facet) => (
        <FacetChip key={facet.key} facet={facet} onRemove={() => removeFacet(facet)} />
      ))}
      <input
        ref={input}
        type="text"
        inputMode="search"
        role="combobox"
        data-focus="search"
        autocomplete="off"
        spellcheck={false}
        aria-label={t('Search records')}
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-keyshortcuts="/"
        aria-controls={suggestions.length > 0 ? listId : undefined}
        aria-activedescendant={suggestions.length > 0 ? `${listId}-${marked}` : undefined}
        placeholder={facets.length > 0 ? t('Search') : t('Search {title}', { title: workspace.title })}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          setMarked(0)
          setOpen(value.trim() !== '')
          records.look(value)
        }}
        onKeyDown={press}
        onBlur={close}
      />
      <span class="wide keyhint">
        <Kbd keys="/" />
      </span>
      {SuggestionList && suggestions.length > 0 && (
        <SuggestionList
          id={listId}
          anchor={box}
          suggestions={suggestions}
          marked={marked}
          typed={typed}
          onMark={setMarked}
          onGo={go}
          onClose={close}
        />
      )}
    </div>
  )
}

function FacetChip({ facet, onRemove }: { readonly facet: Facet; readonly onRemove: () => void }) {
  const joint = facet.isGroup ? '›' : t('or')
  const name = [facet.label, facet.values.join(` ${joint} `)].filter(Boolean).join(' ')
  return (
    <span class="facet">
      <span class="k">
        <Icon name={facet.icon} />
        {facet.label}
      </span>
      <span class="v">
        {facet.values.map((value, index) => (
          <span key={value}>
            {index > 0 && <span class="or">{joint}</span>}
            {value}
          </span>
        ))}
      </span>
      <button type="button" aria-label={t('Remove {filter}', { filter: name })} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  )
}

/** Debounced suggestions of linked records. A newer text aborts the request of the older one. */
function useRecordSuggestions(workspace: WireWorkspace, route: Route) {
  const [found, setFound] = useState<readonly Suggestion[]>([])
  const latest = useRef({ workspace, route })
  latest.current = { workspace, route }
  const search = useMemo(() => {
    let abort = new AbortController()
    const run = debounce(async (text: string) => {
      abort = new AbortController()
      const { signal } = abort
      const { suggestRecords } = await deferredParts.load()
      suggestRecords(services().rpc, latest.current.workspace, latest.current.route, text, signal).then(
        (next) => signal.aborted || setFound(next),
        // The search works without suggestions, so a failed request only hides them.
        (error: unknown) => isAbort(error) || setFound([]),
      )
    }, TYPEAHEAD_MS)
    const stop = () => {
      run.cancel()
      abort.abort()
      setFound([])
    }
    return {
      look(text: string) {
        abort.abort()
        run(text)
      },
      stop,
    }
  }, [])
  useEffect(() => search.stop, [search])
  return { found, look: search.look, stop: search.stop }
}
