import { behavior, defineModel, type FieldsOf, field } from '#kernel'
import { hoursRule } from './entered-hours.ts'

/** Hours a user worked on a task on one day. */
export const projectTimesheet = defineModel('project.timesheet', {
  label: 'Time Entry',
  order: 'date desc, id desc',
  // Recorded hours stay with the user who worked them.
  handOver: {},
  fields: {
    name: field.char({ label: 'Description', size: 300 }),
    date: field.date({ required: true, index: true, default: (env) => env.now.toISOString().slice(0, 10) }),
    user_id: field.many2one('core.user', {
      label: 'Employee',
      required: true,
      ondelete: 'restrict',
      index: true,
      // Copied hours are recorded for the user who copies them.
      copy: false,
      default: (env) => env.user.id || null,
    }),
    task_id: field.many2one('project.task', { required: true, ondelete: 'cascade', index: true }),
    project_id: field.many2one('project.project', { related: 'task_id.project_id', compute: 'stored', index: true }),
    company_id: field.many2one('core.company', { related: 'task_id.company_id', compute: 'stored', index: true }),
    hours: field.float({ required: true, digits: [6, 2] }),
  },
  constraints: {
    hours_range: {
      check: 'hours > 0 and hours <= 24',
      fields: ['hours'],
      message: 'A day has more than 0 and at most 24 hours.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'project.timesheet': ProjectTimesheet
  }
  interface ProjectTimesheet extends FieldsOf<typeof projectTimesheet> {}
}

export const projectTimesheetBehavior = behavior('project.timesheet', {
  onchange: {
    async hours(env, { hours }) {
      const rule = await hoursRule(env)
      return rule === null || hours === null ? undefined : { value: { hours: rule(hours) } }
    },
  },
  events: {
    async creating(env, records) {
      const rule = await hoursRule(env)
      return records.map(({ hours }) => (rule === null || hours == null ? {} : { hours: rule(hours) }))
    },
    async updated(env, ids, changed) {
      const rule = changed.has('hours') ? await hoursRule(env) : null
      if (rule === null) return
      const own = env.sudo('hours that were just entered are rounded', { beyondScope: true }).model('project.timesheet')
      const entries = await own.read(ids, ['hours'])
      const rounded = entries.filter(({ hours }) => rule(hours) !== hours)
      await own.writeEach(new Map(rounded.map(({ id, hours }) => [id, { hours: rule(hours) }])))
    },
  },
})
