import { useState } from 'preact/hooks'
import { msg, t } from '../../../core/i18n.ts'
import { CallError } from '../../../net/errors.ts'
import { strengthOf } from '../../../password-strength.ts'
import { setLeaving } from '../../../router/sign-in.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { showError } from '../../../ui/toasts.tsx'

const STRENGTHS = [msg('Weak'), msg('Fair'), msg('Good'), msg('Strong')]

/** Changes the password of the user, which requires the old one. Every session ends, and this browser gets a new one. */
export function PasswordForm() {
  const { transport, session } = services()
  const { login, name } = session.bootstrap.user
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const strength = strengthOf(password, [login, name])

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setLeaving(true)
    try {
      const body = JSON.stringify({ current, password })
      await transport.send('/web/account/password', { method: 'POST', body, repeatable: false })
      // The page belongs to the session that has just ended.
      location.assign('/web/settings/account?changed=1')
    } catch (error) {
      setBusy(false)
      setLeaving(false)
      const fields = error instanceof CallError ? error.fields : {}
      setProblems(fields)
      if (Object.keys(fields).length === 0) showError(error)
    }
  }

  return (
    <section class="panel" aria-labelledby="account-password">
      <header>
        <h2 id="account-password">{t('Password')}</h2>
      </header>
      <form class="body fields" onSubmit={(event) => void submit(event)}>
        <input type="hidden" autocomplete="username" value={login} />
        <TextField
          label={t('Current password')}
          value={current}
          problem={problems['current']}
          input={{ type: 'password', autocomplete: 'current-password' }}
          onInput={setCurrent}
        />
        <TextField
          label={t('New password')}
          value={password}
          problem={problems['password']}
          hint={t('At least 10 characters. A few unrelated words are easy to remember and hard to guess.')}
          input={{ type: 'password', autocomplete: 'new-password' }}
          onInput={setPassword}
        />
        <div class="hs strengthline">
          <div
            class="pwmeter"
            role="meter"
            aria-label={t('Password strength')}
            aria-valuemin={0}
            aria-valuemax={4}
            aria-valuenow={strength}
          >
            {STRENGTHS.map((each, at) => (
              <span key={each} class={at < strength ? 'on' : ''} />
            ))}
          </div>
          <span class="fs12 t2" aria-live="polite">
            {strength === 0 ? '' : t(STRENGTHS[strength - 1]!)}
          </span>
        </div>
        <div class="hs acts">
          <Button label={t('Change password')} kind="primary" type="submit" isBusy={isBusy} />
        </div>
      </form>
    </section>
  )
}
