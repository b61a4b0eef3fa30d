import { behavior, defineModel, type Env, type FieldsOf, field, LIMITS } from '#kernel'
import { requireQuota } from './quota.ts'

/** Sequence of users' own dashboards: shipped ones come before them, ones that users share do not. */
const OWN_SEQUENCE = 50
const MAX_SEQUENCE = 9_999

/** A page of tiles, each with a live view. It is private to its owner, or shared with other users. */
export const sysDashboard = defineModel('sys.dashboard', {
  label: 'Dashboard',
  order: 'is_shared, sequence, name',
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
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
    sequence: field.integer({ default: OWN_SEQUENCE, help: 'Dashboards nobody else sees come first, then by this.' }),
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
  checks: [{ needs: ['sequence', 'is_shared', 'user_id'], check: (env, row) => sequenceInBounds(env, row) }],
  events: { created: (env, ids) => requireQuota(env, 'sys.dashboard', ids, LIMITS.dashboards) },
})

interface Sequenced {
  readonly sequence: number | null
  readonly is_shared: boolean
  readonly user_id: unknown
}

/** A dashboard that a user shares may not come before those of addons. */
function sequenceInBounds({ t }: Env, { sequence, is_shared, user_id }: Sequenced) {
  const least = is_shared && user_id !== null ? OWN_SEQUENCE : 0
  return sequence !== null && sequence >= least && sequence <= MAX_SEQUENCE
    ? undefined
    : { sequence: t('The sequence is between {least} and {most}.', { least, most: MAX_SEQUENCE }) }
}
