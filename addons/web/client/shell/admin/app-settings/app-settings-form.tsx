import { useEffect, useState } from 'preact/hooks'
import type { WireApp } from '../../../../../../kernel/view/wire-app-settings.ts'
import { t } from '../../../core/i18n.ts'
import { CallError, isCancelled } from '../../../net/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { tell } from '../ask.ts'
import { useSaveKeys } from '../use-save-keys.ts'
import { SettingField } from './setting-field.tsx'

interface AppSettingsFormProps {
  readonly app: WireApp
  readonly onSaved: () => void
}

type Texts = Readonly<Record<string, string>>

/** The settings of an app, saved together. */
export function AppSettingsForm({ app: { addon, title, settings }, onSaved }: AppSettingsFormProps) {
  const [typed, setTyped] = useState<Texts>({})
  const [problems, setProblems] = useState<Texts>({})
  const [isBusy, setBusy] = useState(false)
  const changed = Object.fromEntries(
    settings.flatMap(({ name, text }) =>
      typed[name] === undefined || typed[name] === text ? [] : [[name, typed[name]]],
    ),
  )
  // What was typed stays until the server has answered with it.
  const [isSaved, setSaved] = useState(false)
  const isDirty = !isSaved && Object.keys(changed).length > 0
  const discard = () => {
    setTyped({})
    setProblems({})
  }
  useEffect(() => {
    if (isSaved) discard()
    setSaved(false)
  }, [settings])

  async function save(): Promise<void> {
    if (isBusy || !isDirty) return
    setBusy(true)
    setProblems({})
    try {
      await tell('/web/settings/app', { app: addon, values: changed })
      setSaved(true)
      showToast({ level: 'success', text: t('Saved') })
      onSaved()
    } catch (error) {
      const fields = error instanceof CallError ? error.fields : {}
      setProblems(fields)
      if (!isCancelled(error) && Object.keys(fields).length === 0) showError(error)
    } finally {
      setBusy(false)
    }
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
        {settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            value={typed[setting.name] ?? setting.text}
            problem={problems[setting.name]}
            onInput={(text) => {
              setTyped((now) => ({ ...now, [setting.name]: text }))
              setProblems({})
            }}
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
