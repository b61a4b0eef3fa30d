import { behavior, defineModel, type Env, type FieldsOf, field, ids, nextNumbers } from '#kernel'
import { averageProgress } from './average-progress.ts'

export const projectProject = defineModel('project.project', {
  label: 'Project',
  order: 'sequence, name',
  searchFields: ['name', 'code'],
  fields: {
    name: field.char({ required: true, size: 200, index: true, tracking: true }),
    code: field.char({ size: 32, copy: false, unique: true, help: 'Given by the number sequence when left empty.' }),
    sequence: field.integer({ required: true, default: 10 }),
    partner_id: field.many2one('core.partner', { label: 'Customer', index: true, tracking: true }),
    user_id: field.many2one('core.user', {
      label: 'Project Manager',
      index: true,
      tracking: true,
      default: (env) => env.user.id || null,
    }),
    member_ids: field.many2many('core.user', { label: 'Members' }),
    visibility: field.selection(
      { everyone: 'Everyone in the company', members: 'Members only' },
      { required: true, default: 'everyone', tracking: true },
    ),
    company_id: field.many2one('core.company', { index: true, default: (env) => env.user.companyIds[0] ?? null }),
    date_start: field.date({ label: 'Start' }),
    date_end: field.date({ label: 'End', tracking: true }),
    state: field.selection(
      { planned: 'Planned', running: 'Running', paused: 'Paused', done: 'Done', cancelled: 'Cancelled' },
      { required: true, default: 'planned', tracking: true, copy: false },
    ),
    tag_ids: field.many2many('project.tag'),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    description: field.html(),
    task_ids: field.one2many('project.task', 'project_id', { label: 'Tasks' }),
    milestone_ids: field.one2many('project.milestone', 'project_id', { label: 'Milestones' }),
    task_count: field.integer({ label: 'Number of Tasks', compute: 'stored' }),
    open_task_count: field.integer({ label: 'Open Tasks', compute: 'stored' }),
    closed_task_count: field.integer({ label: 'Closed Tasks', compute: 'stored' }),
    planned_hours: field.float({ compute: 'stored', digits: [12, 2] }),
    spent_hours: field.float({ compute: 'stored', digits: [12, 2] }),
    progress: field.float({ compute: 'stored', digits: [6, 2], help: 'Percent, from the tasks without sub-tasks.' }),
    favourite_user_ids: field.many2many('core.user', { label: 'Favourite of', copy: false }),
    is_favourite: field.boolean({ label: 'Favourite', compute: 'read' }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    dates_in_order: {
      check: 'date_end >= date_start',
      fields: ['date_end'],
      message: 'A project ends after it starts.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'project.project': ProjectProject
  }
  interface ProjectProject extends FieldsOf<typeof projectProject> {}
}

/** What each state button leads to. */
const STATES = {
  action_start: 'running',
  action_pause: 'paused',
  action_done: 'done',
  action_cancel: 'cancelled',
  action_reset: 'planned',
} as const

export const projectProjectBehavior = behavior('project.project', {
  computes: {
    task_count: {
      needs: ['task_ids.active'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.task_ids.filter((task) => task.active).length])),
    },
    open_task_count: {
      needs: ['task_ids.active', 'task_ids.is_closed'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.task_ids.filter((task) => task.active && !task.is_closed).length])),
    },
    closed_task_count: {
      needs: ['task_ids.active', 'task_ids.is_closed'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.task_ids.filter((task) => task.active && task.is_closed).length])),
    },
    planned_hours: {
      needs: ['task_ids.active', 'task_ids.planned_hours'],
      run: (_env, rows) =>
        new Map(
          rows.map((row) => [row.id, sumOf(row.task_ids, ({ active, planned_hours }) => active && planned_hours)]),
        ),
    },
    spent_hours: {
      needs: ['task_ids.spent_hours'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, sumOf(row.task_ids, (task) => task.spent_hours)])),
    },
    progress: {
      needs: ['task_ids.active', 'task_ids.progress', 'task_ids.planned_hours', 'task_ids.subtask_count'],
      run: (_env, rows) =>
        new Map(
          rows.map((row) => [
            row.id,
            averageProgress(row.task_ids.filter((task) => task.active && !task.subtask_count)),
          ]),
        ),
    },
    is_favourite: {
      needs: ['favourite_user_ids'],
      run: (env, rows) => new Map(rows.map((row) => [row.id, row.favourite_user_ids.includes(env.user.id)])),
      search: (env, operator, value) =>
        (operator === '=') === (value === true)
          ? [['favourite_user_ids', 'in', [env.user.id]]]
          : [['favourite_user_ids', 'not in', [env.user.id]]],
    },
  },
  events: {
    async created(env, created) {
      await addCodes(env.sudo(), created)
    },
  },
  actions: {
    ...Object.fromEntries(
      Object.entries(STATES).map(([action, state]) => [
        action,
        (env: Env, rows: readonly { readonly id: number }[]) =>
          env.model('project.project').write(ids(rows), { state }),
      ]),
    ),
    /** The board has no parameter for a project, so it looks for the name. */
    action_view_tasks: (_env, [project]) => ({
      redirect: `/web?model=project.task&view_type=list&q=${encodeURIComponent(project?.name ?? '')}`,
    }),
    /** Whoever sees a project may mark it, so the link is made without write access. */
    async action_toggle_favourite(env, rows) {
      const projects = env.sudo().model('project.project')
      for (const { id, favourite_user_ids } of rows) {
        const command = favourite_user_ids.includes(env.user.id) ? 3 : 4
        await projects.write([id], { favourite_user_ids: [[command, env.user.id]] })
      }
      return true
    },
  },
})

const sumOf = <T>(rows: readonly T[], amount: (row: T) => number | false | null): number =>
  Math.round(rows.reduce((sum, row) => sum + (amount(row) || 0), 0) * 100) / 100

async function addCodes(env: Env, created: readonly number[]): Promise<void> {
  const projects = env.model('project.project')
  const nameless = await projects.search(
    [
      ['id', 'in', created],
      ['code', '=', null],
    ],
    { archived: 'include', order: 'id' },
  )
  if (nameless.length === 0) return
  const codes = await nextNumbers(env, 'project.project', nameless.length)
  for (const [i, id] of nameless.entries()) await projects.write([id], { code: codes[i]! })
}
