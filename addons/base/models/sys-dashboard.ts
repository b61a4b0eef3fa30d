import { behavior, defineModel, type Env, type FieldsOf, field, LIMITS } from '#kernel'
import { requireQuota } from './quota.ts'

/** A page of tiles, each with a live view. It belongs to its owner, or to everybody who sees it shared. */
export const sysDashboard = defineModel('sys.dashboard', {
  label: 'Dashboard',
  order: 'sequence, name',
  fields: {
    name: field.char({ required: true, size: 100 }),
    title: field.char({ compute: 'read', help: 'The name in the language of the reader, if an addon brought it.' }),
    user_id: field.many2one('core.user', {
      label: 'Owner',
      ondelete: 'cascade',
      index: true,
      default: (env) => env.user.id || null,
    }),
    is_shared: field.boolean({ label: 'Shown to Everybody' }),
    period: field.selection(
      { week: 'Week', month: 'Month', quarter: 'Quarter', year: 'Year' },
      { required: true, default: 'month', help: 'The period its tiles show at first.' },
    ),
    tile_ids: field.one2many('sys.dashboard.tile', 'dashboard_id', { label: 'Tiles', copy: true }),
    sequence: field.integer({ default: 50 }),
    module: field.char({ readonly: true, index: true, copy: false }),
  },
  constraints: {
    owner_or_shared: {
      check: 'user_id is not null or is_shared',
      fields: ['is_shared'],
      message: 'A dashboard without an owner is shown to everybody.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.dashboard': SysDashboard
  }
  interface SysDashboard extends FieldsOf<typeof sysDashboard> {}
}

export const sysDashboardBehavior = behavior('sys.dashboard', {
  computes: {
    title: {
      needs: ['name', 'module'],
      run: (env, rows) => new Map(rows.map(({ id, name, module }) => [id, shippedText(env, module, name)])),
    },
  },
  events: { created: (env, ids) => requireQuota(env, 'sys.dashboard', ids, LIMITS.dashboards) },
})

/** A text of a record that an addon brought, in the reader's language; what users wrote stays as it is. */
export const shippedText = (env: Env, module: string | null, text: string): string =>
  module === null ? text : env.t(text)
