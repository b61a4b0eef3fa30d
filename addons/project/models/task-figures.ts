import { behavior } from '#kernel'
import { averageProgress } from './average-progress.ts'

/** Computed fields of a task: from its hours, its sub-tasks and its dependencies. */
export const projectTaskFigures = behavior('project.task', {
  computes: {
    spent_hours: {
      needs: ['timesheet_ids.hours'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.timesheet_ids.reduce((sum, { hours }) => sum + hours, 0)])),
    },
    remaining_hours: {
      needs: ['planned_hours', 'spent_hours'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, planned_hours, spent_hours }) => [
            id,
            planned_hours === null ? null : planned_hours - (spent_hours ?? 0),
          ]),
        ),
    },
    is_overdue: {
      needs: ['date_end', 'is_closed'],
      run: (env, rows) => {
        const now = env.now.toISOString()
        return new Map(rows.map((row) => [row.id, row.date_end !== null && row.date_end < now && !row.is_closed]))
      },
      search: (_env, operator, value) => {
        const overdue = [
          ['date_end', '<', 'now'],
          ['is_closed', '=', false],
        ] as const
        return (operator === '=') === (value === true) ? overdue : ['!', '&', ...overdue]
      },
    },
    subtask_count: {
      needs: ['child_ids.active'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.child_ids.filter((task) => task.active).length])),
    },
    closed_subtask_count: {
      needs: ['child_ids.active', 'child_ids.is_closed'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.child_ids.filter((task) => task.active && task.is_closed).length])),
    },
    subtask_progress: {
      needs: ['child_ids.active', 'child_ids.progress', 'child_ids.planned_hours'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, averageProgress(row.child_ids.filter((task) => task.active))])),
    },
    is_blocked: {
      needs: ['depends_on_ids.is_closed'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.depends_on_ids.some((task) => !task.is_closed)])),
    },
  },
})
