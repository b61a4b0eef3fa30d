import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { debounce, TYPEAHEAD_MS } from '../../core/debounce.ts'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import { menuLocation } from '../../router/menus.ts'
import { services } from '../../services.ts'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Marked } from '../../ui/marked.tsx'
import { nextIndex } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { AppTile } from '../apps/app-tile.tsx'
import {
  commandEntries,
  findRecords,
  fits,
  type PaletteEntry,
  type PaletteGroup,
  placeEntries,
  rank,
  recentEntries,
  searchedModels,
} from './palette-entries.ts'
import { recentRecords } from './recent.ts'
import './palette.css'

const MAX_RECORDS = 10
const MAX_PLACES = 8
const MAX_RECENT = 6

/** The command palette: finds records, commands and pages by name. A leading `>` searches only commands. */
export const drawPalette = (typed: string, close: () => void) => <Palette typed={typed} onClose={close} />

function Palette({ typed: first, onClose }: { readonly typed: string; readonly onClose: () => void }) {
  const [typed, setTyped] = useState(first)
  const [marked, setMarked] = useState(0)
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { records, isLooking } = useRecords(typed)
  const groups = groupsFor(typed, records)
  const entries = groups.flatMap((group) => group.entries)
  const at = Math.min(marked, entries.length - 1)

  useLayoutEffect(() => {
    const element = dialog.current
    const leaveLayer = hotkeys.enterLayer()
    const before = document.activeElement
    element?.showModal()
    return () => {
      leaveLayer()
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, typed])

  function run(entry: PaletteEntry | undefined, inNewTab: boolean): void {
    if (!entry) return
    if (inNewTab && entry.href !== undefined) {
      window.open(entry.href, '_blank', 'noopener')
      return
    }
    onClose()
    if (entry.href !== undefined) void services().router.go(entry.href, { isRoot: true })
    else Promise.resolve(entry.run?.()).catch(showError)
  }

  function press(event: KeyboardEvent): void {
    const next = event.key.startsWith('Arrow') ? nextIndex(event.key, at, entries.length) : null
    if (next !== null) {
      event.preventDefault()
      setMarked(next)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(entries[at], event.ctrlKey || event.metaKey)
    }
  }

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t('Command palette')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="q">
        <Icon name="search" size="l" />
        <input
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          aria-label={t('Search or run a command')}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
          placeholder={t('Search records, apps and actions')}
          value={typed}
          autofocus
          onInput={({ currentTarget: { value } }) => {
            setTyped(value)
            setMarked(0)
          }}
          onKeyDown={press}
        />
        <button type="button" class="btn ghost sm" onClick={onClose}>
          <Kbd keys="escape" />
          <span class="vh">{t('Close')}</span>
        </button>
      </div>
      <div class="res" id={id} role="listbox" aria-label={t('Results')} aria-busy={isLooking}>
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div class="h" aria-hidden="true">
              {group.label}
            </div>
            {group.entries.map((entry) => {
              const index = entries.indexOf(entry)
              return (
                <Line
                  key={entry.key}
                  id={`${id}-${index}`}
                  entry={entry}
                  part={actionText(typed) ?? typed}
                  isMarked={index === at}
                  onMark={() => setMarked(index)}
                  onRun={(inNewTab) => run(entry, inNewTab)}
                />
              )
            })}
          </div>
        ))}
        {entries.length === 0 && !isLooking && (
          <div class="mi t3" role="option" aria-selected={false} aria-disabled="true" tabIndex={-1}>
            {t('Nothing found')}
          </div>
        )}
      </div>
      <div class="pf" aria-hidden="true">
        <Hint keys="arrowup arrowdown">{t('move')}</Hint>
        <Hint keys="enter">{t('open')}</Hint>
        <Hint keys="mod+enter" isWide>
          {t('new tab')}
        </Hint>
        <Hint keys=">" isWide>
          {t('actions only')}
        </Hint>
      </div>
    </dialog>
  )
}

const Hint = ({ keys, isWide, children }: { keys: string; isWide?: boolean; children: ComponentChildren }) => (
  <span class={isWide ? 'wide' : ''}>
    <Kbd keys={keys} />
    {children}
  </span>
)

interface LineProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly part: string
  readonly isMarked: boolean
  readonly onMark: () => void
  readonly onRun: (inNewTab: boolean) => void
}

const Line = ({ id, entry, part, isMarked, onMark, onRun }: LineProps) => (
  <div
    id={id}
    class="mi"
    role="option"
    aria-selected={isMarked}
    tabIndex={-1}
    onMouseDown={(event) => event.preventDefault()}
    onMouseMove={() => isMarked || onMark()}
    onMouseUp={(event) => onRun(event.ctrlKey || event.metaKey)}
  >
    {entry.module === undefined ? <Icon name={entry.icon} /> : <AppTile module={entry.module} />}
    <span class="lb cut">
      <Marked text={entry.label} part={part} />
    </span>
    {entry.note !== undefined && <span class="t3 cut nt">{entry.note}</span>}
    <span class="end">
      {entry.kind}
      {entry.keys !== undefined && <Kbd keys={entry.keys} />}
    </span>
  </div>
)

/** The text after `>`; null without one, when everything is searched. */
const actionText = (typed: string): string | null => (typed.startsWith('>') ? typed.slice(1).trim() : null)

function groupsFor(typed: string, records: readonly PaletteEntry[]): readonly PaletteGroup[] {
  const { bootstrap } = services().session
  const text = typed.trim()
  const actions = actionText(text)
  const found: readonly PaletteGroup[] =
    actions !== null
      ? [{ label: t('Actions'), entries: actions === '' ? commandEntries() : rank(commandEntries(), actions) }]
      : text === ''
        ? [
            { label: t('Recent'), entries: recentEntries(recentRecords.value).slice(0, MAX_RECENT) },
            { label: t('Apps'), entries: placeEntries(bootstrap).filter(({ module }) => module !== undefined) },
            { label: t('Actions'), entries: commandEntries() },
          ]
        : matching(text, records)
  return found.filter(({ entries }) => entries.length > 0)
}

/**
 * Groups of matching entries. Pages come before records if one starts with the typed text, since it is then the most
 * likely target.
 */
function matching(text: string, records: readonly PaletteEntry[]): readonly PaletteGroup[] {
  const places = rank(placeEntries(services().session.bootstrap), text).slice(0, MAX_PLACES)
  const found = { label: t('Records'), entries: records.slice(0, MAX_RECORDS) }
  const goTo = { label: t('Go to'), entries: places }
  const [first] = places
  const isPlaceMeant = first !== undefined && fits(first.label, text) === 3
  return [
    ...(isPlaceMeant ? [goTo, found] : [found, goTo]),
    { label: t('Actions'), entries: rank(commandEntries(), text) },
  ]
}

/** Records whose name matches the typed text, debounced. */
function useRecords(typed: string): { readonly records: readonly PaletteEntry[]; readonly isLooking: boolean } {
  const [records, setRecords] = useState<readonly PaletteEntry[]>([])
  const [isLooking, setLooking] = useState(false)
  const look = useMemo(() => {
    const { session, rpc } = services()
    const models = searchedModels(session.bootstrap, menuLocation().peek().app?.module ?? null)
    return debounce((text: string, signal: AbortSignal) => {
      void findRecords(rpc, models, text, signal).then((found) => {
        if (signal.aborted) return
        setRecords(found)
        setLooking(false)
      })
    }, TYPEAHEAD_MS)
  }, [])
  useEffect(() => {
    const text = typed.trim()
    const abort = new AbortController()
    if (text.length < 2 || actionText(text) !== null) {
      setRecords([])
      setLooking(false)
      return
    }
    setLooking(true)
    look(text, abort.signal)
    return () => {
      look.cancel()
      abort.abort()
    }
  }, [typed])
  return { records, isLooking }
}
