import { behavior, defineModel, type FieldsOf, field } from '#kernel'
import { knownModel } from './checks.ts'
import { rightsEvents } from './rights.ts'

export const sysAccess = defineModel('sys.access', {
  label: 'Access Line',
  order: 'model, name',
  fields: {
    name: field.char({ required: true, size: 200 }),
    model: field.char({ required: true, index: true }),
    group_id: field.many2one('core.group', { ondelete: 'cascade', index: true, help: 'Empty: every internal user.' }),
    perm_read: field.boolean({ label: 'May Read' }),
    perm_write: field.boolean({ label: 'May Change' }),
    perm_create: field.boolean({ label: 'May Create' }),
    perm_unlink: field.boolean({ label: 'May Delete' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.access': SysAccess
  }
  interface SysAccess extends FieldsOf<typeof sysAccess> {}
}

export const sysAccessBehavior = behavior('sys.access', {
  checks: [{ needs: ['model'], check: (env, row) => knownModel(env, row.model) }],
  events: rightsEvents('sys.access'),
})
