import { useRef, useState } from 'preact/hooks'
import type { WireAccount } from '../../../../../../kernel/view/wire-admin.ts'
import { t } from '../../../core/i18n.ts'
import { FileRefused, pictureType, readPicture } from '../../../fields/edit/file.ts'
import { CallError, isCancelled } from '../../../net/errors.ts'
import { services } from '../../../services.ts'
import { writeRecords } from '../../../store/queries.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { showError } from '../../../ui/toasts.tsx'
import { LANGUAGES } from '../../palette/choices.ts'
import { Choose } from './choose.tsx'

type Details = Omit<WireAccount, 'sessions'>

/** What one says about oneself. Where mails about the account go is changed with the password. */
export function DetailsForm({ account: { sessions: _, ...saved } }: { readonly account: WireAccount }) {
  const { rpc, session } = services()
  const { id } = session.bootstrap.user
  const [details, setDetails] = useState<Details>(saved)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const set = (change: Partial<Details>) => setDetails({ ...details, ...change })
  const changed = Object.fromEntries(
    Object.entries(details).filter(([name, value]) => value !== saved[name as keyof Details]),
  )
  const isChanged = Object.keys(changed).length > 0

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy || !isChanged) return
    setBusy(true)
    try {
      await writeRecords(rpc, 'core.user', [id], changed)
      // Language and time zone are on every part of the page.
      location.assign('/web/settings/account?saved=1')
    } catch (error) {
      setBusy(false)
      const fields = error instanceof CallError ? error.fields : {}
      setProblems(fields)
      if (Object.keys(fields).length === 0 && !isCancelled(error)) showError(error)
    }
  }

  async function take(file: File | undefined): Promise<void> {
    if (!file) return
    try {
      set({ image: await readPicture(file) })
    } catch (error) {
      if (error instanceof FileRefused) setProblems({ image: error.message })
      else showError(error)
    }
  }

  const type = pictureType(details.image ?? '')
  return (
    <section class="panel" aria-labelledby="account-details">
      <header>
        <h2 id="account-details">{t('Personal details')}</h2>
      </header>
      <form class="body fields" onSubmit={(event) => void submit(event)}>
        <div class="hs wrap face">
          {type === null ? (
            <Avatar id={id} name={details.name} size="l" isNamed isRecord />
          ) : (
            <img src={`data:${type};base64,${details.image}`} alt={t('Your picture')} />
          )}
          <input
            ref={picker}
            class="vh"
            type="file"
            tabIndex={-1}
            aria-label={t('Picture')}
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
          />
          <Button
            label={type === null ? t('Add a picture') : t('Change the picture')}
            size="sm"
            onClick={() => picker.current?.click()}
          />
          {type !== null && <Button label={t('Remove the picture')} size="sm" onClick={() => set({ image: null })} />}
          {problems['image'] !== undefined && (
            <span class="err" role="alert">
              {problems['image']}
            </span>
          )}
        </div>
        <TextField
          label={t('Name')}
          value={details.name}
          hint={t('Others know you by it: an administrator changes it.')}
          input={{ readOnly: true }}
          onInput={() => undefined}
        />
        <TextField
          label={t('E-mail')}
          value={details.email ?? ''}
          isAddress
          maxLength={254}
          problem={problems['email']}
          hint={t('Mails about your account go here. A change asks for your password.')}
          input={{ required: false }}
          onInput={(email) => set({ email: email.trim() === '' ? null : email.trim() })}
        />
        <Choose
          label={t('Language')}
          value={details.lang}
          options={LANGUAGES}
          problem={problems['lang']}
          onChoose={(lang) => set({ lang })}
        />
        <Choose
          label={t('Time zone')}
          value={details.tz}
          options={['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone.replaceAll('_', ' ')])}
          problem={problems['tz']}
          onChoose={(tz) => set({ tz })}
        />
        <div class="hs acts">
          <Button label={t('Save')} kind="primary" type="submit" isBusy={isBusy} disabled={!isChanged} />
        </div>
      </form>
    </section>
  )
}
