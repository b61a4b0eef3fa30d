import { behavior, defineModel, type FieldsOf, field, ids } from '#kernel'
import { averageProgress } from './average-progress.ts'

export const projectMilestone = defineModel('project.milestone', {
  label: 'Milestone',
  order: 'date_deadline, id',
  aboutFields: ['project_id', 'date_deadline'],
  fields: {
    name: field.char({ required: true, size: 200 }),
    project_id: field.many2one('project.project', { required: true, ondelete: 'cascade', index: true }),
    company_id: field.many2one('core.company', { related: 'project_id.company_id', compute: 'stored', index: true }),
    date_deadline: field.date({ label: 'Deadline', index: true }),
    date_reached: field.date({ label: 'Reached on', copy: false }),
    task_ids: field.one2many('project.task', 'milestone_id', { label: 'Tasks' }),
    task_count: field.integer({ label: 'Number of Tasks', compute: 'stored' }),
    progress: field.float({ compute: 'stored', digits: [6, 2], help: 'Percent, from the tasks.' }),
  },
})

declare module '#kernel' {
  interface Models {
    'project.milestone': ProjectMilestone
  }
  interface ProjectMilestone extends FieldsOf<typeof projectMilestone> {}
}

export const projectMilestoneBehavior = behavior('project.milestone', {
  computes: {
    task_count: {
      needs: ['task_ids.active'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.task_ids.filter((task) => task.active).length])),
    },
    progress: {
      needs: ['task_ids.active', 'task_ids.progress', 'task_ids.planned_hours'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, averageProgress(row.task_ids.filter((task) => task.active))])),
    },
  },
  undoableActions: ['action_reach', 'action_reopen'],
  actions: {
    action_reach: (env, rows) =>
      env.model('project.milestone').write(ids(rows), { date_reached: env.now.toISOString().slice(0, 10) }),
    action_reopen: (env, rows) => env.model('project.milestone').write(ids(rows), { date_reached: null }),
  },
})
