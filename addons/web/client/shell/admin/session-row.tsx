import { useLayoutEffect, useRef } from 'preact/hooks'
import type { WireSession } from '../../../../../kernel/admin/wire-account.ts'
import { t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Ago } from './ago.tsx'

/** The device of a session. */
export const deviceOf = ({ device }: Pick<WireSession, 'device'>): string => device ?? t('Unknown device')

interface SessionRowProps {
  readonly session: WireSession
  readonly onEnd: () => void
}

/** A session with its device and last use. The session of this page is ended by signing out. */
export function SessionRow({ session, onEnd }: SessionRowProps) {
  const { ip, seenAt, isOwn } = session
  const row = useRef<HTMLLIElement>(null)
  // When the row disappears with the focus in it, the button of another session gets the focus, or the one for all, or the section.
  useLayoutEffect(
    () => () => {
      const place = row.current?.contains(document.activeElement) ? row.current.closest('section') : null
      requestAnimationFrame(() =>
        (place?.querySelector<HTMLElement>('li button') ?? place?.querySelector('button') ?? place)?.focus(),
      )
    },
    [],
  )
  return (
    <li ref={row}>
      <Icon name="monitor" />
      <span class="two">
        <span>{deviceOf(session)}</span>
        <span class="hint">{ip ?? ''}</span>
      </span>
      <span class="t2">
        <Ago at={seenAt} />
      </span>
      {isOwn ? (
        <span class="badge">{t('This device')}</span>
      ) : (
        <Button label={t('Sign out')} kind="ghost" size="sm" onClick={onEnd} />
      )}
    </li>
  )
}
