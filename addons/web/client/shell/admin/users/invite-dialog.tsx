import { useId, useState } from 'preact/hooks'
import type { WireInvited, WirePeople, WirePerson } from '../../../../../../kernel/admin/wire-people.ts'
import { t } from '../../../core/i18n.ts'
import { CallError, explain, isCancelled } from '../../../net/errors.ts'
import { postJson } from '../../../net/json-routes.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { SecretRow } from '../secret-row.tsx'
import { CompanyRows } from './company-rows.tsx'
import { RoleRows } from './role-rows.tsx'

type By = 'mail' | 'link'

/** Asks for name, address and roles of a new user. Resolves with the id of the user, or null if it was cancelled. */
export async function openInvite(found: WirePeople): Promise<number | null> {
  const invited = await openDialog<WireInvited | null>((close) => <InviteDialog found={found} onDone={close} />)
  if (invited === null) return null
  await showInvited(invited, true)
  return invited.id
}

/** Sends a user a new link: by mail if possible, otherwise shown to copy. */
export async function sendLinkTo({ id, name, invitation }: WirePerson, mayMail: boolean): Promise<void> {
  const by = await openDialog<By | null>((close) => (
    <Dialog
      title={t('Link for {name}', { name })}
      onClose={() => close(null)}
      footer={
        <>
          <Button label={t('Create a link')} onClick={() => close('link')} />
          {mayMail && <Button label={t('Send by mail')} icon="send" kind="primary" onClick={() => close('mail')} />}
        </>
      }
    >
      <p class="t2">
        {invitation === null
          ? t('With the link a new password is chosen. It works once, for half an hour, and replaces older links.')
          : t('With the link the first password is chosen. It works once, for a week, and replaces older links.')}
      </p>
    </Dialog>
  ))
  if (by === null) return
  try {
    await showInvited(await postJson<WireInvited>(`/web/settings/users/${id}/link`, { by }), invitation !== null)
  } catch (error) {
    showError(error)
  }
}

/** Confirms that the mail was sent, or shows the link once. */
async function showInvited({ mailed, link }: WireInvited, isInvitation: boolean): Promise<void> {
  if (mailed || link === null) showToast({ level: 'success', text: t('The invitation is on its way') })
  else
    await openDialog<void>((close) => (
      <Dialog
        title={t('Copy the link now')}
        onClose={() => close()}
        footer={<Button label={t('Done')} kind="primary" onClick={() => close()} />}
      >
        <p class="t2">
          {isInvitation
            ? t('Hand it to the user yourself. It works once, for a week, and is not shown again.')
            : t('Hand it to the user yourself. It works once, for half an hour, and is not shown again.')}
        </p>
        <SecretRow text={link} />
      </Dialog>
    ))
}

interface InviteDialogProps {
  readonly found: WirePeople
  readonly onDone: (invited: WireInvited | null) => void
}

function InviteDialog({ found, onDone }: InviteDialogProps) {
  const { roles, companies, mail } = found
  const first = roles.apps.find(({ module }) => module === 'base')?.roles[0]
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [groupIds, setGroupIds] = useState<readonly number[]>(first ? [first.id] : [])
  const [stored] = useState(groupIds)
  const [place, setPlace] = useState({
    companyIds: companies.slice(0, 1).map(({ id }) => id) as readonly number[],
    companyId: companies[0]?.id ?? null,
  })
  const [by, setBy] = useState<By>(mail ? 'mail' : 'link')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const form = useId()

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const missing = {
      ...(name.trim() === '' && { name: t('A name is needed.') }),
      ...(email.trim() === '' && { email: t('An e-mail address is needed.') }),
    }
    setProblems(missing)
    if (Object.keys(missing).length > 0 || isBusy) return
    setBusy(true)
    try {
      const company_ids = [...place.companyIds].sort((a) => (a === place.companyId ? -1 : 0))
      onDone(await postJson<WireInvited>('/web/settings/invite', { name, email, group_ids: groupIds, company_ids, by }))
    } catch (error) {
      setBusy(false)
      if (!isCancelled(error)) setProblems(problemsOf(error))
    }
  }

  return (
    <Dialog
      title={t('Invite somebody')}
      class="invite"
      onClose={() => onDone(null)}
      footer={
        <>
          <Button label={t('Cancel')} onClick={() => onDone(null)} />
          <Button
            label={by === 'mail' ? t('Send invitation') : t('Create a link')}
            icon={by === 'mail' ? 'send' : 'link'}
            kind="primary"
            type="submit"
            form={form}
            isBusy={isBusy}
          />
        </>
      }
    >
      <form id={form} class="fields" noValidate onSubmit={(event) => void submit(event)}>
        <div class="kf">
          <TextField label={t('Name')} value={name} problem={problems['name']} onInput={setName} />
          <TextField
            label={t('E-mail')}
            isAddress
            value={email}
            problem={problems['email'] ?? problems['login']}
            hint={t('It is also the login.')}
            onInput={setEmail}
          />
        </div>
        <fieldset class="plain">
          <legend class="label">{t('Roles')}</legend>
          <RoleRows roles={roles} groupIds={groupIds} stored={stored} onChange={setGroupIds} />
        </fieldset>
        {companies.length > 1 && (
          <fieldset class="plain">
            <legend class="label">{t('Companies')}</legend>
            <CompanyRows companies={companies} {...place} onChange={setPlace} />
          </fieldset>
        )}
        {mail ? (
          <span class="seg" role="radiogroup" aria-label={t('How the invitation arrives')}>
            {(['mail', 'link'] as const).map((way) => (
              <label key={way}>
                <input type="radio" class="vh" name="by" checked={by === way} onChange={() => setBy(way)} />
                {way === 'mail' ? t('By mail') : t('By a link')}
              </label>
            ))}
          </span>
        ) : (
          <p class="note">
            <Icon name="mail" />
            <span>{t('Mail is not set up, so you get a link to hand over yourself.')}</span>
          </p>
        )}
        {problems['other'] !== undefined && (
          <p class="err" role="alert">
            {problems['other']}
          </p>
        )}
      </form>
    </Dialog>
  )
}

/** Messages of the server by field; `other` for those without a field. */
function problemsOf(error: unknown): Readonly<Record<string, string>> {
  const fields = error instanceof CallError ? error.fields : {}
  const isShown = 'name' in fields || 'email' in fields || 'login' in fields
  return isShown ? fields : { other: explain(error).text }
}
