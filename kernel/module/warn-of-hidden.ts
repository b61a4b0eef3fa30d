import type { Registry } from '../model/registry.ts'
import { sql } from '../sql/sql.ts'
import type { ModuleChange } from './change.ts'

/** Warns about models of these modules that no user may use, because no access line names them. */
export async function warnOfHidden(
  { tx, services }: Pick<ModuleChange, 'tx' | 'services'>,
  registry: Registry,
  modules: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ model: string }>`select distinct model from sys_access`.execute(tx)
  const opened = new Set(rows.map(({ model }) => model))
  const hidden = [...registry.models.values()].filter(
    ({ name, addon, rpc }) => rpc === 'all' && modules.includes(addon) && !opened.has(name),
  )
  for (const { name } of hidden)
    services.observe({ kind: 'warning', text: `Nobody may use ${name}: no access line names it.` })
}
