import { type Action, conflict, copyRecord, type Env, ids } from '#kernel'
import { openForm } from '../../base/models/redirect.ts'

type TaskAction = Action<'project.task'>

async function moveTo(env: Env, tasks: readonly number[], isClosed: boolean): Promise<true> {
  const [stage] = await env.model('project.stage').search([['is_closed', '=', isClosed]], { limit: 1 })
  if (stage === undefined) {
    throw conflict(
      'business_rule',
      isClosed ? env.t('There is no stage for closed tasks.') : env.t('There is no stage for open tasks.'),
    )
  }
  return env.model('project.task').write(tasks, { stage_id: stage })
}

export const closeTasks: TaskAction = (env, tasks) => moveTo(env, ids(tasks), true)
export const reopenTasks: TaskAction = (env, tasks) => moveTo(env, ids(tasks.filter((task) => task.is_closed)), false)

export const assignTasksToMe: TaskAction = (env, tasks) =>
  env.model('project.task').write(ids(tasks), { user_ids: [[4, env.user.id]] })

/** A copy of the task in the first stage, without its history; opens it. */
export const duplicateTask: TaskAction = async (env, [task]) => {
  if (task === undefined) return true
  const copy = await copyRecord(env, 'project.task', task.id)
  await env.model('project.task').write([copy], { name: `${task.name.slice(0, 290)} (copy)` })
  return openForm('project.task', copy)
}
