import './updates.css'
import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatRelative } from '../core/format.ts'
import { hotkeys } from '../core/hotkeys.ts'
import { msg, t, tn } from '../core/i18n.ts'
import type { Writer } from '../store/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Popover } from '../ui/popover.tsx'

/** A change by another user that would add, remove or move a record of the view. */
export interface Update {
  readonly id: number
  readonly kind: 'new' | 'gone' | 'moved' | 'deleted' | 'hidden'
  /** Null if only the number of such records is known. */
  readonly name: string | null
  /** The user who changed it, if known. Reading subscribes: for a row that leaves the view it is known a moment later. */
  readonly by: () => Writer | null
  /** When the client got the event, in milliseconds since 1970. */
  readonly at: number
}

export interface LiveUpdates {
  /** The changes that wait for `apply`. */
  readonly updates: ReadonlySignal<readonly Update[]>
  /** Shows them. */
  apply(): void
}

const WORDS: Readonly<Record<Update['kind'], string>> = {
  new: msg('is new'),
  gone: msg('leaves this filter'),
  moved: msg('moves'),
  deleted: msg('was deleted'),
  hidden: msg('is no longer visible to you'),
}

const MAX_LISTED = 8

/** A button with the number of changes that wait, a list of them, and the key that shows them. */
export function Updates({ live }: { readonly live: LiveUpdates }) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const updates = live.updates.value
  const count = updates.length
  const hasAny = count > 0
  /** The element that had the focus before the chip, which disappears when pressed. */
  const before = useRef<EventTarget | null>(null)
  const apply = () => {
    const isHere = document.activeElement?.closest('.updates, .updatelist')
    setOpen(false)
    live.apply()
    if (!isHere) return
    const place = before.current instanceof HTMLElement && before.current.isConnected ? before.current : null
    const main = place ?? document.getElementById('main')
    main?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (!hasAny) return
    return hotkeys.add({ keys: 'r', label: t('Show updates'), group: t('Records'), run: apply })
  }, [hasAny])
  const listed = updates.filter(({ name }) => name !== null).slice(0, MAX_LISTED)
  const rest = count - listed.length
  return (
    <span aria-live="polite">
      {hasAny && (
        <button
          ref={anchor}
          type="button"
          class="chip updates"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onFocus={({ relatedTarget }) => {
            if (!(relatedTarget instanceof Element && relatedTarget.closest('.updatelist')))
              before.current = relatedTarget
          }}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="refresh-cw" />
          {tn(count, '{n} update', '{n} updates')}
          <span class="wide">
            <Kbd keys="r" />
          </span>
        </button>
      )}
      {hasAny && isOpen && (
        <Popover
          anchor={anchor}
          align="end"
          class="updatelist worded"
          role="dialog"
          label={tn(count, '{n} update', '{n} updates')}
          onClose={() => setOpen(false)}
        >
          <ul>
            {listed.map((update) => (
              <Line key={update.id} {...update} />
            ))}
            {rest > 0 && (
              <li class="t3">
                {listed.length > 0 ? t('and {n} more', { n: rest }) : tn(rest, '{n} new record', '{n} new records')}
              </li>
            )}
          </ul>
          <Button label={t('Show now')} keys="r" onClick={apply} />
        </Popover>
      )}
    </span>
  )
}

function Line({ kind, name, by, at }: Update) {
  const writer = by()
  const instant = new Date(at).toISOString()
  return (
    <li>
      {writer && <Avatar id={writer[0]} name={writer[1]} />}
      <span>
        <b>{name}</b> {t(WORDS[kind])}
      </span>
      <time dateTime={instant}>{formatRelative(instant, new Date())}</time>
    </li>
  )
}
