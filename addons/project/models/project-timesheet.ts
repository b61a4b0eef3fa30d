import { defineModel, type FieldsOf, field } from '#kernel'

/** Hours somebody worked on a task on one day. */
export const projectTimesheet = defineModel('project.timesheet', {
  label: 'Time Entry',
  order: 'date desc, id desc',
  // Whoever worked the hours stays the one who did.
  handOver: {},
  fields: {
    name: field.char({ label: 'Description', size: 300 }),
    date: field.date({ required: true, index: true, default: (env) => env.now.toISOString().slice(0, 10) }),
    user_id: field.many2one('core.user', {
      label: 'Employee',
      required: true,
      ondelete: 'restrict',
      index: true,
      // Whoever copies hours records them as their own.
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
