import type { Env } from '../env.ts'
import { accessDenied } from '../errors.ts'
import { sql } from '../sql/sql.ts'

/**
 * Whoever manages users manages only those whose companies are all their own: a key, a link or a group of a user opens the companies of
 * that user. The one rule for every door; asked after a change too, since companies may be given by it. A company that was made in this
 * transaction is its maker's.
 */
export async function requireOwnUsers(env: Env, userIds: readonly number[]): Promise<void> {
  if (env.isSudo || userIds.length === 0) return
  const made = [...(env.outbox.changes.get('core.company') ?? [])].flatMap(([id, { channel }]) =>
    channel === 'record.created' ? [id] : [],
  )
  const { rows } = await sql`
    select from core_user_company_ids_rel
    where source_id = any(${userIds}::int[]) and target_id <> all(${[...env.user.allowedCompanyIds, ...made]}::int[])
    limit 1`.execute(env.tx)
  if (rows.length > 0)
    throw accessDenied('company_access', env.t('This user works in a company that you do not belong to.'))
}
