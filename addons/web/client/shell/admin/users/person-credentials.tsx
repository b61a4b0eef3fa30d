import { useRef } from 'preact/hooks'
import type { WireSession } from '../../../../../../kernel/admin/wire-account.ts'
import type { WireKey } from '../../../../../../kernel/admin/wire-keys.ts'
import type { WirePerson } from '../../../../../../kernel/admin/wire-people.ts'
import { formatRelative } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { postJson } from '../../../net/json-routes.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { deviceOf, SessionRow } from '../session-row.tsx'

type Run = (act: () => Promise<unknown>) => Promise<boolean>

interface SessionItemsProps {
  readonly person: WirePerson
  readonly sessions: readonly WireSession[]
  readonly onRun: Run
}

/** The sessions of a user. The session of this page is ended by signing out. */
export function SessionItems({ person, sessions, onRun }: SessionItemsProps) {
  const section = useRef<HTMLElement>(null)
  async function end(session: string, name: string): Promise<void> {
    if (!(await onRun(() => postJson(`/web/settings/users/${person.id}/sessions`, { session })))) return
    showToast({ level: 'success', text: t('{name} is signed out', { name }) })
    // The button disappears together with the sessions.
    if (session === 'all') section.current?.focus()
  }
  const others = sessions.filter(({ isOwn }) => !isOwn)
  return (
    <section class="fs" tabIndex={-1} ref={section}>
      <div class="fsh">
        <h3>{t('Sessions')}</h3>
        <span class="count">{sessions.length}</span>
        {others.length > 1 && others.length === sessions.length && (
          <Button
            label={t('Sign out everywhere')}
            kind="ghost"
            size="sm"
            class="end"
            onClick={() => void end('all', person.name)}
          />
        )}
      </div>
      {sessions.length === 0 && <p class="hint">{t('Not signed in anywhere.')}</p>}
      <ul class="items">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() => void end(session.id, sessions.length === 1 ? person.name : deviceOf(session))}
          />
        ))}
      </ul>
    </section>
  )
}

/** Programs that act for the user. A revoked key stays revoked, so the user must confirm it. */
export function KeyItems({ keys, onRun }: { readonly keys: readonly WireKey[]; readonly onRun: Run }) {
  async function revoke({ id, name }: WireKey): Promise<void> {
    const isMeant = await confirm({
      title: t('Revoke {name}?', { name }),
      text: t('Programs that use the key stop working at once. A revoked key stays revoked.'),
      action: t('Revoke'),
      isDanger: true,
    })
    if (isMeant && (await onRun(() => services().rpc.call('core.api.key', 'write', [[id], { active: false }]))))
      showToast({ level: 'success', text: t('{name} is revoked', { name }) })
  }
  return (
    <section class="fs">
      <div class="fsh">
        <h3>{t('API keys')}</h3>
        <span class="count">{keys.length}</span>
      </div>
      {keys.length === 0 && <p class="hint">{t('No program signs in for this user.')}</p>}
      <ul class="items">
        {keys.map((key) => (
          <li key={key.id}>
            <Icon name="key-round" />
            <span class="two">
              <span>
                {key.name} <code class="mono t3">{key.hint}</code>
              </span>
              <span class="hint">
                {key.expiresAt === null
                  ? t('never expires')
                  : t('expires {time}', { time: formatRelative(key.expiresAt, new Date()) })}
              </span>
            </span>
            <span class="t2">
              {key.usedAt === null
                ? t('Never used')
                : t('Used {time}', { time: formatRelative(key.usedAt, new Date()) })}
            </span>
            <Button label={t('Revoke')} kind="ghost" size="sm" class="warn" onClick={() => void revoke(key)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
