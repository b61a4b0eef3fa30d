import { behavior, defineModel, type FieldsOf, field } from '#kernel'
import { listWhere } from '../../base/models/redirect.ts'

export const projectProject = defineModel('project.project', {
  label: 'Project',
  order: 'sequence, name',
  searchFields: ['name', 'code'],
  handOver: { user_id: { label: 'Projects led', domain: [['state', 'not in', ['done', 'cancelled']]] } },
  aboutFields: ['partner_id', 'state'],
  fields: {
    name: field.char({ required: true, size: 200, index: true, tracking: true }),
    code: field.char({
      size: 32,
      copy: false,
      unique: true,
      sequence: 'project.project',
      help: 'Given by the number sequence when left empty.',
    }),
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
    tag_ids: field.many2many('project.tag', { label: 'Tags' }),
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

export const projectProjectBehavior = behavior('project.project', {
  undoableActions: ['action_start', 'action_pause', 'action_done', 'action_cancel', 'action_reset'],
  actions: {
    action_start: 'write:{"state":"running"}',
    action_pause: 'write:{"state":"paused"}',
    action_done: 'write:{"state":"done"}',
    action_cancel: 'write:{"state":"cancelled"}',
    action_reset: 'write:{"state":"planned"}',
    action_view_tasks: (_env, [project]) =>
      project &&
      listWhere('project.task', project.name, [
        ['project_id', '=', project.id],
        ['is_closed', '=', false],
      ]),
    /** Users may mark any project they can read, so the link is written under sudo. */
    async action_toggle_favourite(env, rows) {
      const projects = env
        .sudo('a favourite is a mark of the reader, and read access is enough')
        .model('project.project')
      return projects.writeEach(
        new Map(
          rows.map(({ id, favourite_user_ids }) => {
            const command = favourite_user_ids.includes(env.user.id) ? 3 : 4
            return [id, { favourite_user_ids: [[command, env.user.id]] }]
          }),
        ),
      )
    },
  },
})
