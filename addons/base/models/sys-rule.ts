import { behavior, defineModel, type FieldsOf, field } from '#kernel'
import { knownModel, readableDomain } from './checks.ts'
import { rightsEvents } from './rights.ts'

export const sysRule = defineModel('sys.rule', {
  label: 'Record Rule',
  order: 'model, name',
  fields: {
    name: field.char({ required: true, size: 200 }),
    model: field.char({ required: true, index: true }),
    domain: field.text({
      required: true,
      help: 'Over user.id, user.company_id, user.group_ids, company_ids and today.',
    }),
    group_ids: field.many2many('core.group', {
      label: 'Groups',
      help: 'Empty: for everybody, on top of every other rule.',
    }),
    perm_read: field.boolean({ label: 'When Reading', default: true }),
    perm_write: field.boolean({ label: 'When Changing', default: true }),
    perm_create: field.boolean({ label: 'When Creating', default: true }),
    perm_unlink: field.boolean({ label: 'When Deleting', default: true }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    speaks_of_something: {
      check: 'perm_read or perm_write or perm_create or perm_unlink',
      message: 'A rule must apply to at least one operation.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.rule': SysRule
  }
  interface SysRule extends FieldsOf<typeof sysRule> {}
}

export const sysRuleBehavior = behavior('sys.rule', {
  checks: [
    { needs: ['model'], check: (env, row) => knownModel(env, row.model) },
    { needs: ['model', 'domain'], check: (env, row) => readableDomain(env, row.model, row.domain) },
  ],
  events: rightsEvents('sys.rule'),
})
