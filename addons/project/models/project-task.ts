import { behavior, defineModel, type Env, type FieldsOf, field, ids, sql } from '#kernel'
import { assignTasksToMe, closeTasks, duplicateTask, reopenTasks } from './task-actions.ts'
import { moveSubtasks, setProjectOfSubtasks, syncTasksWithStage } from './task-events.ts'

export const projectTask = defineModel('project.task', {
  label: 'Task',
  order: 'priority desc, date_end, id',
  handOver: { user_ids: { label: 'Open tasks', domain: [['is_closed', '=', false]] } },
  aboutFields: ['project_id', 'stage_id'],
  fields: {
    name: field.char({ required: true, size: 300, index: true, tracking: true }),
    project_id: field.many2one('project.project', { ondelete: 'cascade', index: true, tracking: true }),
    company_id: field.many2one('core.company', { related: 'project_id.company_id', compute: 'stored', index: true }),
    partner_id: field.many2one('core.partner', { label: 'Customer', related: 'project_id.partner_id' }),
    user_ids: field.many2many('core.user', {
      label: 'Assignees',
      tracking: true,
      default: (env) => (env.isSudo ? [] : [env.user.id]),
    }),
    stage_id: field.many2one('project.stage', {
      ondelete: 'restrict',
      index: true,
      tracking: true,
      copy: false,
      default: firstStage,
    }),
    is_closed: field.boolean({ label: 'Closed', related: 'stage_id.is_closed', compute: 'stored', index: true }),
    milestone_id: field.many2one('project.milestone', { index: true }),
    priority: field.selection(
      { '0': 'Normal', '1': 'Important', '2': 'Urgent' },
      { required: true, default: '0', tracking: true },
    ),
    tag_ids: field.many2many('project.tag', { label: 'Tags' }),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    date_start: field.datetime({ label: 'Start', index: true }),
    date_end: field.datetime({ label: 'End', index: true, tracking: true }),
    date_closed: field.datetime({ label: 'Closed on', readonly: true, copy: false, index: true }),
    is_overdue: field.boolean({ label: 'Overdue', compute: 'read' }),
    progress: field.float({ digits: [6, 2], default: 0, copy: false, help: 'Percent; 100 once the task is closed.' }),
    planned_hours: field.float({ digits: [12, 2], tracking: true }),
    spent_hours: field.float({ compute: 'stored', digits: [12, 2] }),
    remaining_hours: field.float({ compute: 'stored', digits: [12, 2] }),
    timesheet_ids: field.one2many('project.timesheet', 'task_id', { label: 'Time Entries' }),
    parent_id: field.many2one('project.task', { label: 'Parent Task', ondelete: 'cascade', index: true }),
    child_ids: field.one2many('project.task', 'parent_id', { label: 'Sub-tasks' }),
    subtask_count: field.integer({ label: 'Number of Sub-tasks', compute: 'stored' }),
    closed_subtask_count: field.integer({ label: 'Closed Sub-tasks', compute: 'stored' }),
    subtask_progress: field.float({ compute: 'stored', digits: [6, 2], label: 'Progress of Sub-tasks' }),
    depends_on_ids: field.many2many('project.task', {
      label: 'Depends on',
      copy: false,
      help: 'Tasks that must be done first. They must not depend on this task, directly or through others.',
    }),
    dependent_ids: field.many2many('project.task', {
      label: 'Needed by',
      copy: false,
      relationTable: { table: 'project_task_depends_on_ids_rel', left: 'target_id', right: 'source_id' },
    }),
    is_blocked: field.boolean({ label: 'Blocked', compute: 'stored', help: 'A task it depends on is still open.' }),
    description: field.html(),
    active: field.boolean({ default: true }),
  },
  constraints: {
    dates_in_order: { check: 'date_end >= date_start', fields: ['date_end'], message: 'A task ends after it starts.' },
    progress_range: {
      check: 'progress between 0 and 100',
      fields: ['progress'],
      message: 'Progress lies between 0 and 100 percent.',
    },
    planned_positive: {
      check: 'planned_hours >= 0',
      fields: ['planned_hours'],
      message: 'Planned hours are not negative.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'project.task': ProjectTask
  }
  interface ProjectTask extends FieldsOf<typeof projectTask> {}
}

export const projectTaskBehavior = behavior('project.task', {
  checks: [
    {
      needs: ['depends_on_ids'],
      async checkAll(env, tasks) {
        const dependent = ids(tasks.filter(({ depends_on_ids }) => depends_on_ids.length > 0))
        const goesRound = dependent.length > 0 && (await waitForThemselves(env, dependent))
        return goesRound ? { depends_on_ids: 'The task would wait for itself.' } : undefined
      },
    },
    {
      needs: ['project_id', 'milestone_id.project_id'],
      check: (_env, { project_id, milestone_id }) =>
        milestone_id !== null && milestone_id.project_id !== project_id
          ? { milestone_id: 'The milestone belongs to another project.' }
          : undefined,
    },
  ],
  onchange: {
    async parent_id(env, draft) {
      if (draft.parent_id === null || draft.project_id !== null) return undefined
      const [parent] = await env.model('project.task').read([draft.parent_id], ['project_id'])
      return parent?.project_id ? { value: { project_id: parent.project_id[0] } } : undefined
    },
    project_id: (_env, draft) => ({
      value: { milestone_id: null },
      domains: { milestone_id: [['project_id', '=', draft.project_id]] },
    }),
    async stage_id(env, draft) {
      if (draft.stage_id === null) return undefined
      const [stage] = await env.model('project.stage').read([draft.stage_id], ['is_closed'])
      return stage?.is_closed ? { value: { progress: 100 } } : undefined
    },
  },
  events: {
    async created(env, tasks) {
      const own = env.sudo('new tasks take over what their parent and their stage say', { beyondScope: true })
      await setProjectOfSubtasks(own, tasks)
      await syncTasksWithStage(own, tasks)
    },
    async updated(env, tasks, changed) {
      if (changed.has('project_id')) await moveSubtasks(env, tasks)
      if (changed.has('stage_id'))
        await syncTasksWithStage(
          env.sudo('figures of the tasks just written follow their stage', { beyondScope: true }),
          tasks,
        )
    },
  },
  undoableActions: ['action_done', 'action_reopen'],
  actions: {
    action_done: closeTasks,
    action_reopen: reopenTasks,
    action_duplicate: duplicateTask,
    action_assign_me: assignTasksToMe,
  },
})

async function firstStage(env: Env): Promise<number | null> {
  const [stage] = await env
    .sudo('a default every new task has', { beyondScope: true })
    .model('project.stage')
    .search([['is_closed', '=', false]], { limit: 1 })
  return stage ?? null
}

/**
 * Whether the dependencies of one of these tasks lead back to it. Changes of dependencies are serialised, because two concurrent
 * ones may form a cycle together.
 */
async function waitForThemselves(env: Env, tasks: readonly number[]): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('project.task.depends_on_ids', 0))`.execute(env.tx)
  const { rows } = await sql<{ id: number }>`
    with recursive needed(task, id) as (
      select source_id, target_id from project_task_depends_on_ids_rel where source_id = any(${tasks}::int[])
      union select n.task, d.target_id from needed as n join project_task_depends_on_ids_rel as d on d.source_id = n.id
    ) select id from needed where id = task limit 1`.execute(env.tx)
  return rows.length > 0
}
