import { audit, behavior, defineModel, type Env, type FieldsOf, field, settingOfKey, settingProblem } from '#kernel'

/** Settings administrators change while the service runs; secrets and start-up values belong to the configuration file. */
export const sysSetting = defineModel('sys.setting', {
  label: 'Setting',
  order: 'key',
  displayName: 'key',
  fields: {
    key: field.char({ required: true, size: 100, unique: true }),
    value: field.text(),
  },
  constraints: {
    key_form: {
      check: "key ~ '^[a-z][a-z0-9_.]*$'",
      fields: ['key'],
      message: 'A key is lower case, like sale.default_validity_days.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.setting': SysSetting
  }
  interface SysSetting extends FieldsOf<typeof sysSetting> {}
}

/** Records only the names of settings in the audit trail: a value may be a secret. */
const tell = (what: string) => async (env: Env, ids: readonly number[]) => {
  const settings = await env.sudo('the audit trail names settings').model('sys.setting').read(ids, ['key'])
  await audit(
    env,
    settings.map(({ key }) => ({ kind: 'settings_changed', subject: key, detail: what })),
  )
}

export const sysSettingBehavior = behavior('sys.setting', {
  checks: [
    {
      needs: ['key', 'value'],
      check({ registry, t }, { key, value }) {
        const setting = registry.settings
          .flatMap(({ settings }) => settings)
          .find(({ name }) => name === settingOfKey(key))
        const problem = setting === undefined ? null : settingProblem(t, setting, value ?? '')
        return problem === null ? undefined : { value: problem }
      },
    },
  ],
  events: { created: tell('added'), updated: tell('changed'), deleting: tell('deleted') },
})
