import { behavior, defineModel, type FieldsOf, field, LIMITS } from '#kernel'
import { requireQuota } from './quota.ts'

/** A user's preference for a part of the client, such as the columns of a list. */
export const sysPreference = defineModel('sys.preference', {
  label: 'Preference',
  order: 'key',
  displayName: 'key',
  fields: {
    user_id: field.many2one('core.user', {
      required: true,
      ondelete: 'cascade',
      default: (env) => env.user.id || null,
    }),
    key: field.char({ required: true, size: 200 }),
    value: field.json({ size: LIMITS.preferenceChars }),
  },
  constraints: {
    key_unique: { unique: ['user_id', 'key'], message: 'There is a preference of this name already.' },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.preference': SysPreference
  }
  interface SysPreference extends FieldsOf<typeof sysPreference> {}
}

export const sysPreferenceBehavior = behavior('sys.preference', {
  events: { created: (env, ids) => requireQuota(env, 'sys.preference', ids, LIMITS.preferences) },
})
