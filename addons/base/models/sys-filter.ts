import { behavior, defineModel, type FieldsOf, field, LIMITS } from '#kernel'
import { readableSort, usableDomain, usableModel } from './checks.ts'
import { requireQuota } from './quota.ts'

/** A saved search; without a user it is offered to all users. */
export const sysFilter = defineModel('sys.filter', {
  label: 'Saved Filter',
  order: 'model, name',
  fields: {
    name: field.char({ required: true, size: 100 }),
    model: field.char({ required: true, index: true }),
    action_id: field.many2one('sys.action', { ondelete: 'cascade', help: 'Offered with this action only.' }),
    user_id: field.many2one('core.user', {
      label: 'Owner',
      ondelete: 'cascade',
      index: true,
      default: (env) => env.user.id || null,
    }),
    domain: field.json<readonly unknown[]>(),
    context: field.json<Readonly<Record<string, unknown>>>({ help: 'Grouping and other state of the search.' }),
    sort: field.char({ size: 200 }),
    is_default: field.boolean({ label: 'Switched on at First' }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    name_unique: {
      unique: ['model', 'user_id', 'action_id', 'name'],
      isNullEqual: true,
      message: 'You already have a filter of this name.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.filter': SysFilter
  }
  interface SysFilter extends FieldsOf<typeof sysFilter> {}
}

export const sysFilterBehavior = behavior('sys.filter', {
  events: { created: (env, ids) => requireQuota(env, 'sys.filter', ids, LIMITS.filters) },
  checks: [
    {
      needs: ['model', 'domain', 'sort'],
      check: (env, { model, domain, sort }) =>
        usableModel(env, model) ?? usableDomain(env, model, domain) ?? readableSort(env, model, sort),
    },
  ],
})
