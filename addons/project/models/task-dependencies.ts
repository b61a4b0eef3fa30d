import { type Env, sql } from '#kernel'

/**
 * Whether the dependencies of a task lead back to it. Changes of dependencies are serialised, because two concurrent ones may
 * form a cycle together.
 */
export async function waitsForItself(env: Env, task: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('project.task.depends_on_ids', 0))`.execute(env.tx)
  const { rows } = await sql<{ id: number }>`
    with recursive needed(id) as (
      select target_id from project_task_depends_on_ids_rel where source_id = ${task}
      union select d.target_id from needed join project_task_depends_on_ids_rel as d on d.source_id = needed.id
    ) select id from needed where id = ${task}`.execute(env.tx)
  return rows.length > 0
}
