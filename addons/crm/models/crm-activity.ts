import { type Action, behavior, defineModel, type FieldsOf, field, ids } from '#kernel'
import { dayOf } from '../../base/models/day-of.ts'
import { postMessages } from '../../mail/chatter/post.ts'

export const ACTIVITY_TYPES = { call: 'Call', mail: 'E-mail', meeting: 'Meeting', todo: 'To-do' } as const

/** Something to do about a lead until a day. */
export const crmActivity = defineModel('crm.activity', {
  label: 'Activity',
  order: 'date_deadline, id',
  aboutFields: ['lead_id', 'date_deadline'],
  displayName: 'summary',
  handOver: { user_id: { label: 'Planned activities', domain: [['date_done', '=', null]] } },
  fields: {
    lead_id: field.many2one('crm.lead', { required: true, ondelete: 'cascade', index: true }),
    company_id: field.many2one('core.company', { related: 'lead_id.company_id', compute: 'stored', index: true }),
    partner_id: field.many2one('core.partner', { label: 'Customer', related: 'lead_id.partner_id' }),
    type: field.selection(ACTIVITY_TYPES, { required: true, default: 'call' }),
    summary: field.char({ required: true, size: 200 }),
    note: field.text(),
    user_id: field.many2one('core.user', {
      label: 'Assigned to',
      required: true,
      ondelete: 'restrict',
      index: true,
      default: (env) => env.user.id || null,
    }),
    date_deadline: field.date({ label: 'Due', required: true, index: true, default: (env) => dayOf(env) }),
    date_done: field.datetime({ label: 'Done on', readonly: true, copy: false }),
    state: field.selection(
      { overdue: 'Overdue', today: 'Today', planned: 'Planned', done: 'Done' },
      { compute: 'stored', index: true, help: 'Brought up to date every hour.' },
    ),
    next_type: field.selection(ACTIVITY_TYPES, { label: 'Then', help: 'What follows once this is done.' }),
    next_days: field.integer({ label: 'After Days', default: 7 }),
  },
  constraints: {
    next_forward: { check: 'next_days >= 0', fields: ['next_days'], message: 'The next activity lies ahead.' },
  },
})

declare module '#kernel' {
  interface Models {
    'crm.activity': CrmActivity
  }
  interface CrmActivity extends FieldsOf<typeof crmActivity> {}
}

/** Closes activities with a note about the outcome (`feedback`), and plans the ones that follow. */
const finish: Action<'crm.activity'> = async (env, activities, { feedback = '' }) => {
  const model = env.model('crm.activity')
  const open = activities.filter(({ date_done }) => date_done === null)
  await model.write(ids(open), { date_done: env.now.toISOString() }, { setsReadonly: true })
  await postMessages(
    env.sudo('whoever finishes an activity leaves a note on its lead', { beyondScope: true }),
    'crm.lead',
    open.map(({ lead_id, type, summary }) => {
      const done = env.t('{activity} done: {summary}', { activity: env.t(ACTIVITY_TYPES[type]), summary })
      return { id: lead_id[0], body: [done, feedback].filter(Boolean).join('\n'), kind: 'note' }
    }),
  )
  await model.createMany(
    open.flatMap(({ lead_id, summary, user_id, next_type, next_days }) => {
      if (next_type === null) return []
      const activity = env.t(ACTIVITY_TYPES[next_type])
      const next = env.t('{activity} after: {summary}', { activity, summary }).slice(0, 200)
      return [{ lead_id, type: next_type, summary: next, user_id, date_deadline: dayOf(env, next_days ?? 0) }]
    }),
  )
  return true
}

export const crmActivityBehavior = behavior('crm.activity', {
  computes: {
    state: {
      needs: ['date_deadline', 'date_done'],
      run(env, rows) {
        const today = dayOf(env)
        return new Map(
          rows.map(({ id, date_deadline, date_done }) => {
            if (date_done !== null) return [id, 'done']
            return [id, date_deadline < today ? 'overdue' : date_deadline === today ? 'today' : 'planned']
          }),
        )
      },
    },
  },
  actions: { action_done: finish },
})
