import { type Env, sql } from '#kernel'

/**
 * Whether the dependencies of one of these tasks lead back to it. Changes of dependencies are serialised, because two concurrent
 * ones may form a cycle together.
 */
export async function waitForThemselves(env: Env, tasks: readonly number[]): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('project.task.depends_on_ids', 0))`.execute(env.tx)
  const { rows } = await sql<{ id: number }>`
    with recursive needed(task, id) as (
      select source_id, target_id from project_task_depends_on_ids_rel where source_id = any(${tasks}::int[])
      union select n.task, d.target_id from needed as n join project_task_depends_on_ids_rel as d on d.source_id = n.id
    ) select id from needed where id = task limit 1`.execute(env.tx)
  return rows.length > 0
}
