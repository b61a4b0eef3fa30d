import { useId, useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import { explain } from '../../net/errors.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, openDialog } from '../../ui/dialog.tsx'

/** Asks for the password again, to confirm the identity of the user. False if the dialog was cancelled. */
export const askPassword = (): Promise<boolean> => openDialog<boolean>((close) => <PasswordDialog onDone={close} />)

function PasswordDialog({ onDone }: { readonly onDone: (isProven: boolean) => void }) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { transport, session } = services()
  const form = useId()
  const input = useId()

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (password === '' || isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await transport.send('/web/confirm', { method: 'POST', body: JSON.stringify({ password }), repeatable: false })
      onDone(true)
    } catch (error) {
      setBusy(false)
      setProblem(explain(error).text)
    }
  }

  return (
    <Dialog
      title={t('Is it you, {name}?', { name: session.bootstrap.user.name })}
      onClose={() => onDone(false)}
      footer={
        <>
          <Button label={t('Cancel')} onClick={() => onDone(false)} />
          <Button
            label={t('Go on')}
            kind="primary"
            type="submit"
            form={form}
            isBusy={isBusy}
            disabled={password === ''}
          />
        </>
      }
    >
      <p class="t2">{t('This step asks for your password, because it changes the program or who may use it.')}</p>
      <form id={form} class="fields" onSubmit={(event) => void submit(event)}>
        <input type="hidden" name="username" autocomplete="username" value={session.bootstrap.user.login} />
        <div class="field">
          <label class="label" for={input}>
            {t('Password')}
          </label>
          <input
            class="input"
            id={input}
            type="password"
            autocomplete="current-password"
            required
            aria-invalid={problem !== null || undefined}
            aria-describedby={problem === null ? undefined : `${input}-error`}
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          {problem !== null && (
            <span class="err" id={`${input}-error`} role="alert">
              {problem}
            </span>
          )}
        </div>
      </form>
    </Dialog>
  )
}
