import { useId } from 'preact/hooks'
import type { WireMail, WireMailInput, WireMailServer } from '../../../../../../kernel/admin/wire-operations.ts'
import { t } from '../../../core/i18n.ts'
import { postJson } from '../../../net/json-routes.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useSaveKeys } from '../use-save-keys.ts'
import { useSettingsForm } from '../use-settings-form.ts'
import { TestRow } from './mail-test.tsx'

interface MailFormProps {
  readonly mail: WireMail
  readonly onChanged: () => void
}

/** The values of the fields. The stored password is never among them. */
type MailDraft = Readonly<Record<'host' | 'port' | 'user' | 'password' | 'from', string>> & { readonly secure: boolean }

const draftOf = (server: WireMailServer | null): MailDraft => ({
  host: server?.host ?? '',
  port: String(server?.port ?? 587),
  secure: server?.secure ?? false,
  user: server?.user ?? '',
  password: '',
  from: server?.from ?? '',
})

/** Default port of each kind of encryption. */
const USUAL: Readonly<Record<'true' | 'false', string>> = { true: '465', false: '587' }

const ACCOUNT = ['host', 'port', 'secure', 'user'] as const satisfies readonly (keyof MailDraft)[]

/** The settings of the mail server, to try before they are saved. */
export function MailForm({ mail: { server, state, testAddress }, onChanged }: MailFormProps) {
  const { typed, problems, isBusy, isSaved, change, discard, setProblems, ...form } = useSettingsForm<MailDraft>(server)
  const encryption = useId()
  const saved = draftOf(server)
  const draft = { ...saved, ...typed }
  const isChanged = (name: keyof MailDraft) => draft[name] !== saved[name]
  const isDirty = !isSaved && (Object.keys(saved) as (keyof MailDraft)[]).some(isChanged)
  const isKept = server?.hasPassword === true && !ACCOUNT.some(isChanged)

  const chooseEncryption = (secure: boolean) =>
    change({ secure, ...(draft.port === USUAL[`${draft.secure}`] && { port: USUAL[`${secure}`] }) })

  /** The entered settings; undefined if one is missing, after showing that. */
  function inputOf(): WireMailInput | undefined {
    const { host, port, secure, user, password, from } = draft
    const isPort = /^\d{1,5}$/.test(port.trim()) && Number(port) >= 1 && Number(port) <= 65_535
    const missing = {
      ...(host.trim() === '' && { host: t('The name of the server is needed.') }),
      ...(!isPort && { port: t('1 to 65535') }),
      ...(from.trim() === '' && { from: t('Write erp@example.com, or Name <erp@example.com>.') }),
    }
    setProblems(missing)
    if (Object.keys(missing).length > 0) return undefined
    return { host, port: Number(port), secure, user, password: password === '' ? null : password, from }
  }

  const store = (input: WireMailInput | null): Promise<void> =>
    form.store(async () => {
      await postJson('/web/settings/mail', { server: input })
      showToast({ level: 'success', text: input === null ? t('Removed') : t('Saved') })
      onChanged()
    })
  async function save(): Promise<void> {
    const input = inputOf()
    if (input !== undefined) await store(input)
  }
  async function remove(): Promise<void> {
    const isMeant = await confirm({
      title: t('Remove the mail server?'),
      text: t('No mail is sent until another one is set. Mails wait in the queue.'),
      action: t('Remove'),
      isDanger: true,
    })
    if (isMeant) await store(null)
  }
  useSaveKeys({
    isDirty,
    group: t('Operations'),
    text: t('The changes to outgoing mail are not saved.'),
    save,
    discard,
  })

  return (
    <form
      class="body mailbody"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {state === 'locked' && (
        <p class="note danger">
          <Icon name="circle-alert" />
          <span>
            {t(
              'The password was kept under another secret of the service, for example before a restore. Enter it again; until then mails wait.',
            )}
          </span>
        </p>
      )}
      <div class="mailgrid">
        <div class="w3">
          <TextField
            label={t('Server')}
            value={draft.host}
            problem={problems['host']}
            input={{ spellcheck: false, placeholder: 'smtp.example.com' }}
            onInput={(host) => change({ host })}
          />
        </div>
        <TextField
          label={t('Port')}
          value={draft.port}
          problem={problems['port']}
          input={{ inputMode: 'numeric' }}
          onInput={(port) => change({ port })}
        />
        <div class="field w2">
          <label class="label" for={encryption}>
            {t('Encryption')}
          </label>
          <span class="pick">
            <select
              class="select"
              id={encryption}
              value={String(draft.secure)}
              onChange={({ currentTarget }) => chooseEncryption(currentTarget.value === 'true')}
            >
              <option value="false">{t('STARTTLS')}</option>
              <option value="true">{t('TLS from the first byte')}</option>
            </select>
            <Icon name="chevron-down" size="s" />
          </span>
        </div>
        <div class="w3">
          <TextField
            label={t('Account')}
            value={draft.user}
            problem={problems['user']}
            input={{ spellcheck: false, required: false, placeholder: t('None') }}
            onInput={(user) => change({ user })}
          />
        </div>
        <div class="w3">
          <TextField
            label={t('Password')}
            value={draft.password}
            problem={problems['password']}
            {...(server?.hasPassword &&
              !isKept &&
              draft.user !== '' && { hint: t('Enter it again: it is kept for one server and account only.') })}
            input={{
              type: 'password',
              autocomplete: 'new-password',
              required: false,
              disabled: draft.user === '',
              ...(isKept && { placeholder: t('Kept, not shown') }),
            }}
            onInput={(password) => change({ password })}
          />
        </div>
        <div class="w6">
          <TextField
            label={t('Sender')}
            value={draft.from}
            problem={problems['from']}
            hint={t('erp@example.com, or Name <erp@example.com>')}
            input={{ spellcheck: false }}
            onInput={(from) => change({ from })}
          />
        </div>
      </div>
      <TestRow
        address={testAddress}
        about={typed}
        input={() => (isDirty || server === null ? inputOf() : null)}
        onError={form.refuse}
      >
        <span class="end hs">
          {server !== null && !isDirty && <Button label={t('Remove')} kind="warn" onClick={() => void remove()} />}
          {isDirty && <Button label={t('Discard')} kind="ghost" onClick={discard} />}
          <Button label={t('Save')} type="submit" kind="primary" disabled={!isDirty} isBusy={isBusy} />
        </span>
      </TestRow>
    </form>
  )
}
