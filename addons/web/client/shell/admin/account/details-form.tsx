import { useRef } from 'preact/hooks'
import type { WireAccount } from '../../../../../../kernel/admin/wire-account.ts'
import { t } from '../../../core/i18n.ts'
import { FileRefused, pictureType, readPicture } from '../../../fields/edit/file.ts'
import { useTimeZones } from '../../../fields/value/time-zones.ts'
import { services } from '../../../services.ts'
import { writeRecords } from '../../../store/queries.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { focusBefore } from '../../../ui/focus-before.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { LANGUAGES } from '../../palette/choices.ts'
import { useSettingsForm } from '../use-settings-form.ts'
import { Choose } from './choose.tsx'

type Details = Omit<WireAccount, 'sessions'>

interface DetailsFormProps {
  readonly account: WireAccount
  readonly onSaved: () => void
}

export const tellSaved = (): void => void showToast({ level: 'success', text: t('Your details are saved.') })

/** Personal details of the user. Changing the e-mail address requires the password. */
export function DetailsForm({ account, onSaved }: DetailsFormProps) {
  const { rpc, session } = services()
  const { id, isAdmin } = session.bootstrap.user
  const { sessions: _, ...saved } = account
  const { typed, problems, isBusy, isSaved, change, setProblems, store } = useSettingsForm<Details>(account)
  const zones = useTimeZones(account.tz)
  const picker = useRef<HTMLInputElement>(null)
  const details = { ...saved, ...typed }
  const changed = Object.fromEntries(
    Object.entries(details).filter(([name, value]) => value !== saved[name as keyof Details]),
  )
  const isChanged = !isSaved && Object.keys(changed).length > 0

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (!isChanged) return
    await store(async () => {
      await writeRecords(rpc, 'core.user', [id], changed)
      // Name, picture, language and time zone affect the whole page, so it is loaded again.
      if (Object.keys(changed).some((name) => name !== 'email')) location.assign('/web/settings/account?saved=1')
      else {
        tellSaved()
        onSaved()
      }
    })
  }

  async function take(file: File | undefined): Promise<void> {
    if (!file) return
    try {
      change({ image: await readPicture(file) })
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
          {type !== null && (
            <Button
              label={t('Remove the picture')}
              size="sm"
              onClick={(event) => {
                focusBefore(event)
                change({ image: null })
              }}
            />
          )}
          {problems['image'] !== undefined && (
            <span class="err" role="alert">
              {problems['image']}
            </span>
          )}
        </div>
        <TextField
          label={t('Name')}
          value={details.name}
          maxLength={200}
          problem={problems['name']}
          hint={isAdmin ? t('Others know you by it.') : t('Others know you by it: an administrator changes it.')}
          input={{ readOnly: !isAdmin }}
          onInput={(name) => change({ name })}
        />
        <TextField
          label={t('E-mail')}
          value={details.email ?? ''}
          isAddress
          maxLength={254}
          problem={problems['email']}
          hint={t('Mails about your account go here. A change asks for your password unless you have just entered it.')}
          input={{ required: false }}
          onInput={(email) => change({ email: email.trim() === '' ? null : email.trim() })}
        />
        <Choose
          label={t('Language')}
          value={details.lang}
          options={LANGUAGES}
          problem={problems['lang']}
          onChoose={(lang) => change({ lang })}
        />
        <Choose
          label={t('Time zone')}
          value={details.tz}
          options={zones}
          problem={problems['tz']}
          onChoose={(tz) => change({ tz })}
        />
        <div class="hs acts">
          <Button label={t('Save')} kind="primary" type="submit" isBusy={isBusy} disabled={!isChanged} />
        </div>
      </form>
    </section>
  )
}
