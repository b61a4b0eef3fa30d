import { useId } from 'preact/hooks'
import type { WireAppSetting } from '../../../../../../kernel/admin/wire-app-settings.ts'

interface SettingFieldProps {
  readonly setting: WireAppSetting
  readonly value: string
  readonly problem: string | undefined
  readonly onInput: (text: string) => void
}

/** A setting with its description or its problem below it. */
export function SettingField({ setting, value, problem, onInput }: SettingFieldProps) {
  const id = useId()
  const control = {
    id,
    value,
    placeholder: setting.default,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': `${id}-about`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onInput(currentTarget.value),
  }
  return (
    <div class="field">
      <label class="label" for={id}>
        {setting.label}
      </label>
      {setting.type === 'text' ? (
        <textarea {...control} class="textarea" rows={4} />
      ) : (
        <span class="hs">
          <input {...control} class="input num" inputMode="numeric" autocomplete="off" />
          {setting.unit !== null && <span class="t2">{setting.unit}</span>}
        </span>
      )}
      <span class={problem === undefined ? 'hint' : 'err'} id={`${id}-about`} {...(problem && { role: 'alert' })}>
        {problem ?? setting.help}
      </span>
    </div>
  )
}
