import type { Env } from '#kernel'

/** Currency of the company the caller works in, for defaults of amounts. */
export async function companyCurrency(env: Env): Promise<number | null> {
  const [current] = env.user.companyIds
  if (current === undefined) return null
  const [company] = await env
    .sudo('a default of the company the caller works in', { beyondScope: true })
    .model('core.company')
    .read([current], ['currency_id'])
  return company?.currency_id[0] ?? null
}
