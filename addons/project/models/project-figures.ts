import { behavior } from '#kernel'
import { averageProgress } from './average-progress.ts'

/** Computed fields of a project: sums over its tasks, and whether it is a favourite of the user. */
export const projectProjectFigures = behavior('project.project', {
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
})

const sumOf = <T>(rows: readonly T[], amount: (row: T) => number | false | null): number =>
  Math.round(rows.reduce((sum, row) => sum + (amount(row) || 0), 0) * 100) / 100
