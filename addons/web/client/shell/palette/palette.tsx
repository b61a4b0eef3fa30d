import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { currentActs } from '../../core/acts.ts'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { nextIndex } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { createEntries, spokenScope } from './create-entries.ts'
import { PaletteLine } from './line.tsx'
import {
  matchingGroups,
  type PaletteEntry,
  type PaletteGroup,
  type PaletteScope,
  type ScopeSearch,
} from './palette-entries.ts'
import { modelsToSearch, recordEntry } from './record-scope.ts'
import { actionText, rootGroups } from './root-groups.ts'
import { useFound } from './use-found.ts'
import { noteUse } from './used.ts'
import './palette.css'

/**
 * The command palette: finds records, pages and commands, and acts on the selection or the record on screen. A leading `>`
 * searches only commands.
 */
export const drawPalette = (typed: string, close: () => void) => <Palette typed={typed} onClose={close} />

function Palette({ typed: first, onClose }: { readonly typed: string; readonly onClose: () => void }) {
  const [typed, setTyped] = useState(first)
  const [marked, setMarked] = useState(0)
  const [scopes, setScopes] = useState<readonly PaletteScope[]>([])
  const [acts, setActs] = useState(currentActs.peek())
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const models = useMemo(modelsToSearch, [])
  const everywhere = useMemo<ScopeSearch>(() => ({ heading: '', models: models.map(({ model }) => model) }), [])
  const scope = scopes.at(-1)
  const isActionsOnly = scope === undefined && actionText(typed.trim()) !== null
  const search = scope ? (scope.find ?? null) : isActionsOnly ? null : everywhere
  const { records, isLooking, isLate, isOffline } = useFound(search, scope !== undefined, typed)
  const found = records.map((record) => scope?.find?.toEntry?.(record) ?? recordEntry(models, record))
  const groups = scope ? scopedGroups(scope, found, typed.trim()) : rootGroups(typed, found, acts)
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

  function type(text: string): void {
    const spoken = scope ? null : spokenScope(createEntries(services().session.bootstrap), text)
    if (spoken) enter(...spoken)
    else setTyped(text)
    setMarked(0)
  }

  function enter(next: PaletteScope, text = ''): void {
    setScopes([...scopes, next])
    setTyped(text)
    setMarked(0)
    input.current?.focus()
  }

  /** Removes the last chip: the scope, or the selection that commands act on. */
  function leave(): void {
    if (scope) setScopes(scopes.slice(0, -1))
    else setActs(null)
    setMarked(0)
  }

  function run(entry: PaletteEntry | undefined, inNewTab: boolean): void {
    if (!entry) return
    const { key, href, scope: inside } = entry
    if (inNewTab && href !== undefined) {
      window.open(href, '_blank', 'noopener')
      return
    }
    noteUse(key)
    if (href === undefined && entry.run === undefined && inside) {
      enter(inside)
      return
    }
    onClose()
    if (href !== undefined) void services().router.go(href, { isRoot: true })
    else Promise.resolve(entry.run?.()).catch(showError)
  }

  function press(event: KeyboardEvent): void {
    const entry = entries[at]
    const next = event.key.startsWith('Arrow') ? nextIndex(event.key, at, entries.length) : null
    if (next !== null) setMarked(next)
    else if (event.key === 'Enter') run(entry, event.ctrlKey || event.metaKey)
    else if (event.key === 'Tab' && !event.shiftKey && entry?.scope) enter(entry.scope)
    else if (event.key === 'Backspace' && typed === '' && (scope || acts)) leave()
    else return
    event.preventDefault()
  }

  const chip = scope ?? (acts && { label: acts.title, icon: 'square-check-big' })
  const placeholder = scope?.placeholder ?? (acts ? t('Act on it, or search') : t('Search records, apps and actions'))
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
        {chip ? (
          <button type="button" class="pchip" onClick={leave}>
            <Icon name={chip.icon} />
            <span class="cut">{chip.label}</span>
            <span class="vh">{t('Remove')}</span>
          </button>
        ) : (
          <Icon name="search" size="l" />
        )}
        <input
          ref={input}
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          aria-label={scope ? `${scope.label}: ${scope.placeholder}` : t('Search or run a command')}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
          placeholder={placeholder}
          value={typed}
          autofocus
          onInput={({ currentTarget: { value } }) => type(value)}
          onKeyDown={press}
        />
        <button type="button" class="btn ghost sm" onClick={onClose}>
          <Kbd keys="escape" />
          <span class="vh">{t('Close')}</span>
        </button>
      </div>
      <div class="res" id={id} role="listbox" aria-label={t('Results')} aria-busy={isLooking}>
        {groups.map((group, index) => (
          <div key={`${group.label} ${index}`} role="group" aria-label={group.label}>
            <div class="h" aria-hidden="true">
              {group.label}
            </div>
            {group.entries.map((entry) => {
              const place = entries.indexOf(entry)
              return (
                <PaletteLine
                  key={entry.key}
                  id={`${id}-${place}`}
                  entry={entry}
                  part={actionText(typed) ?? typed}
                  isMarked={place === at}
                  onMark={() => setMarked(place)}
                  onRun={(inNewTab) => run(entry, inNewTab)}
                  onEnter={entry.scope && (() => enter(entry.scope!))}
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
      {isLate && (
        <p class="off" role="status">
          <Icon name="search" />
          {t('Searching…')}
        </p>
      )}
      {isOffline && (
        <p class="off" role="status">
          <Icon name="cloud-off" />
          {t('The server does not answer: records are not searched.')}
        </p>
      )}
      <div class="pf" aria-hidden="true">
        <Hint keys="arrowup arrowdown">{t('move')}</Hint>
        <Hint keys="enter">{entries[at]?.href === undefined ? t('run') : t('open')}</Hint>
        {entries[at]?.scope && <Hint keys="tab">{t('more')}</Hint>}
        {chip ? (
          <Hint keys="backspace">{t('back')}</Hint>
        ) : (
          <>
            <Hint keys="mod+enter" isWide>
              {t('new tab')}
            </Hint>
            <Hint keys=">" isWide>
              {t('actions only')}
            </Hint>
          </>
        )}
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

/** The records of a scope first, then its own entries. */
function scopedGroups(scope: PaletteScope, found: readonly PaletteEntry[], text: string): readonly PaletteGroup[] {
  const own = matchingGroups(scope.groups(), text)
  if (!scope.find) return own
  const records = found.length === 0 ? [] : [{ label: scope.find.heading, entries: found }]
  return scope.find.toEntry ? [...own, ...records] : [...records, ...own]
}
