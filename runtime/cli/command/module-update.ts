import { updateModules } from '../../../kernel/module/install.ts'
import { presentModules, readModules } from '../../../kernel/module/module-row.ts'
import { buildIndexes } from '../../node/indexes.ts'
import type { CliCommand } from '../command.ts'
import { RESTART_HINT } from '../restart-hint.ts'
import { withReadyHost } from '../with-host.ts'

export const moduleUpdateCommand: CliCommand = {
  name: 'module update',
  summary: 'Update the named modules, or all that are installed: migrations, schema, data files',
  names: { label: '[module…]', least: 0, most: 100 },
  options: { 'allow-loss': { type: 'flag', help: 'also run schema steps that lose data' } },
  async run(call) {
    const { modules, plan } = await withReadyHost(call, async (host) => {
      const { services, catalogue } = host
      const names = call.names.length > 0 ? call.names : presentModules(await readModules(services.db))
      const result = await updateModules(services, catalogue, names, { allowLoss: call.flag('allow-loss') })
      await buildIndexes(host)
      return result
    })
    return { json: { modules, steps: plan?.steps ?? [] }, text: `Updated: ${modules.join(', ')}.\n${RESTART_HINT}` }
  },
}
