import { audit, type Env } from '#kernel'

type Naming = 'core.group' | 'sys.access' | 'sys.rule'

/** Records in the audit trail that groups, access lines or record rules were made, changed or deleted, by name. */
export async function auditRights(env: Env, model: Naming, ids: readonly number[], what: string): Promise<void> {
  const records = await env
    .sudo('the audit trail names groups, access lines and rules', { beyondScope: true })
    .inLanguage('en')
    .model(model)
    .read(ids, ['display_name'])
  await audit(
    env,
    records.map(({ display_name }) => ({ kind: 'rights_changed', subject: display_name, detail: `${model} ${what}` })),
  )
}
