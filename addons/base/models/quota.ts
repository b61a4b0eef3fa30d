import { type Env, invalid } from '#kernel'

/** Refuses records of one user beyond a limit. Call it after they were created, in the same transaction. */
export async function requireQuota(
  env: Env,
  model: 'sys.preference' | 'sys.filter' | 'sys.export.set' | 'sys.dashboard',
  created: readonly number[],
  most: number,
): Promise<void> {
  const records = env.sudo('a quota counts all records of the owner', { beyondScope: true }).model(model)
  const rows = await records.read(created, ['user_id'])
  const owners = [...new Set(rows.flatMap(({ user_id }) => user_id?.[0] ?? []))]
  const counts = await records.countBy('user_id', [['user_id', 'in', owners]], { archived: 'include' })
  if ([...counts.values()].some((count) => count > most)) {
    throw invalid('check_failed', {
      user_id: env.t('A user keeps at most {count} of these. Delete some first.', { count: most }),
    })
  }
}
