import type { Env } from '../env.ts'
import { accessDenied } from '../errors.ts'
import { sql } from '../sql/sql.ts'

/**
 * Throws unless the caller belongs to all companies of these users: a key, a link or a group of a user gives access to the companies of
 * that user. All code that manages users calls it, also after a change, which may have added companies. A company created in this
 * transaction counts as one of the caller's.
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
