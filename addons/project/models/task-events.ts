import { byId, type Env } from '#kernel'

/** Sets the project of new sub-tasks without one to that of their parent. */
export const setProjectOfSubtasks = (env: Env, created: readonly number[]): Promise<void> =>
  copyProjectOfParent(env, [
    ['id', 'in', created],
    ['parent_id', '!=', null],
    ['project_id', '=', null],
  ])

/** Moves sub-tasks along when their parent moves to another project: only those the user may read and change, so no hidden ones. */
export const moveSubtasks = (env: Env, moved: readonly number[]): Promise<void> =>
  copyProjectOfParent(env, [['parent_id', 'in', moved]])

type TaskDomain = Parameters<ReturnType<typeof taskModel>['search']>[0]

const taskModel = (env: Env) => env.model('project.task')

async function copyProjectOfParent(env: Env, domain: TaskDomain): Promise<void> {
  const tasks = taskModel(env)
  const children = await tasks.searchRead(domain, ['project_id', 'parent_id'], { archived: 'include' })
  if (children.length === 0) return
  const parentIds = [...new Set(children.map(({ parent_id }) => parent_id![0]))]
  const parents = byId(await tasks.read(parentIds, ['project_id']))
  const projectFor = (child: (typeof children)[number]) => parents.get(child.parent_id![0])!.project_id
  const differing = children.filter((child) => child.project_id?.[0] !== projectFor(child)?.[0])
  await tasks.writeEach(
    new Map(differing.map((child) => [child.id, { project_id: projectFor(child), milestone_id: null }])),
  )
}

/**
 * Updates progress and closing date after a change of stage: tasks in a closing stage are complete, tasks that left it are
 * reopened.
 */
export async function syncTasksWithStage(env: Env, changed: readonly number[]): Promise<void> {
  const tasks = taskModel(env)
  const find = (domain: TaskDomain) => tasks.search([['id', 'in', changed], ...domain], { archived: 'include' })
  const isClosed = ['is_closed', '=', true] as const
  const closed = await find([isClosed, ['progress', '!=', 100]])
  const undated = await find([isClosed, ['date_closed', '=', null]])
  const reopened = await find([
    ['is_closed', '=', false],
    ['date_closed', '!=', null],
  ])
  await tasks.write(closed, { progress: 100 })
  await tasks.write(undated, { date_closed: env.now.toISOString() })
  await tasks.write(reopened, { date_closed: null, progress: 0 })
}
