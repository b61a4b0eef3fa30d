import { useEffect } from 'preact/hooks'
import type { WireAccount, WireSession } from '../../../../../../kernel/admin/wire-account.ts'
import { t } from '../../../core/i18n.ts'
import { postJson } from '../../../net/json-routes.ts'
import type { Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { LoadState } from '../load-state.tsx'
import { deviceOf, SessionRow } from '../session-row.tsx'
import { useAsked } from '../use-asked.ts'
import { DetailsForm, tellSaved } from './details-form.tsx'
import { PasswordForm } from './password-form.tsx'
import '../admin.css'
import './account.css'

/** The account of the user: personal details, password and sessions. */
export function Page({ route }: { readonly route: Route }) {
  const { user } = services().session.bootstrap
  const asked = useAsked<WireAccount>('/web/settings/account')
  const account = asked.value
  useEffect(() => {
    if (route.extra['saved'] === '1') tellSaved()
  }, [])
  if (account === null) return <LoadState asked={asked} />
  return (
    <div class="view">
      <div class="scroll" data-scroll="account">
        <div class="adminpage account">
          {route.extra['changed'] === '1' && (
            <Done
              text={t(
                'Your password has been changed, and all other sessions have ended. Your API keys go on working.',
              )}
            />
          )}
          <section class="panel">
            <div class="body who">
              <Avatar id={user.id} name={user.name} size="l" />
              <span class="two">
                <b class="bold">{user.name}</b>
                <span class="t2">
                  {[...new Set([user.login, account.email])].filter((text) => text !== null).join(' · ')}
                </span>
              </span>
              <a class="btn end" href="/web/settings/keys#mine=1">
                <Icon name="key-round" />
                {t('Your API keys')}
              </a>
            </div>
          </section>
          <DetailsForm account={account} onSaved={asked.reload} />
          <PasswordForm />
          <Sessions sessions={account.sessions} onChanged={asked.reload} />
        </div>
      </div>
    </div>
  )
}

const Done = ({ text }: { readonly text: string }) => (
  <p class="note success" role="status">
    <Icon name="circle-check" />
    <span>{text}</span>
  </p>
)

interface SessionsProps {
  readonly sessions: WireAccount['sessions']
  readonly onChanged: () => void
}

function Sessions({ sessions, onChanged }: SessionsProps) {
  async function end(session: string, then: () => void): Promise<void> {
    try {
      await postJson('/web/account/sessions', { session })
      then()
    } catch (error) {
      showError(error)
    }
  }
  const endOne = (session: WireSession) =>
    end(session.id, () => {
      showToast({ level: 'success', text: t('{name} is signed out', { name: deviceOf(session) }) })
      onChanged()
    })
  async function endAll(): Promise<void> {
    const isMeant = await confirm({
      title: t('Sign out everywhere?'),
      text: t('Every browser has to sign in again, this one too.'),
      action: t('Sign out everywhere'),
      isDanger: true,
    })
    if (isMeant) await end('all', () => location.assign('/web/login'))
  }
  return (
    <section class="panel" aria-labelledby="account-sessions" tabIndex={-1}>
      <header>
        <h2 id="account-sessions">{t('Sessions')}</h2>
        <span class="count">{sessions.length}</span>
        <Button label={t('Sign out everywhere')} class="end warn" size="sm" onClick={() => void endAll()} />
      </header>
      <ul class="body sessions">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => void endOne(session)} />
        ))}
      </ul>
    </section>
  )
}
