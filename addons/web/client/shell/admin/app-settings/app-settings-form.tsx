import type { WireSettingsOfApp } from '../../../../../../kernel/admin/wire-app-settings.ts'
import { t } from '../../../core/i18n.ts'
import { postJson } from '../../../net/json-routes.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useSaveKeys } from '../use-save-keys.ts'
import { useSettingsForm } from '../use-settings-form.ts'
import { SettingField } from './setting-field.tsx'

interface AppSettingsFormProps {
  readonly app: WireSettingsOfApp
  /** The company of the settings; null: those for all companies. */
  readonly company: number | null
  readonly onSaved: () => void
}

type Texts = Readonly<Record<string, string>>

/** The settings of an app, saved together. */
export function AppSettingsForm({ app: { addon, title, settings }, company, onSaved }: AppSettingsFormProps) {
  const form = useSettingsForm<Texts>(settings)
  const { typed, problems, isBusy, discard } = form
  const changed = Object.fromEntries(
    settings.flatMap(({ name, text }) =>
      typed[name] === undefined || typed[name] === text ? [] : [[name, typed[name]]],
    ),
  )
  const isDirty = !form.isSaved && Object.keys(changed).length > 0

  async function save(): Promise<void> {
    if (!isDirty) return
    await form.store(async () => {
      await postJson('/web/settings/app', { app: addon, values: changed, ...(company !== null && { company }) })
      showToast({ level: 'success', text: t('Saved') })
      onSaved()
    })
  }
  useSaveKeys({
    isDirty,
    group: t('App settings'),
    text: t('The changes to the settings are not saved.'),
    save,
    discard,
  })

  return (
    <section class="panel" aria-label={t('Settings of {app}', { app: title })}>
      <header>
        <h2>{title}</h2>
      </header>
      <form
        class="body appsetform"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {company !== null && <p class="t2">{t('What is left empty is as for all companies.')}</p>}
        {settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            value={typed[setting.name] ?? setting.text}
            problem={problems[setting.name]}
            onInput={(text) => form.change({ [setting.name]: text })}
          />
        ))}
        <div class="hs">
          {isDirty && <Button label={t('Discard')} kind="ghost" onClick={discard} />}
          <Button label={t('Save')} type="submit" kind="primary" disabled={!isDirty} isBusy={isBusy} />
        </div>
      </form>
    </section>
  )
}
