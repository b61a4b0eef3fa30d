import { installModules } from '../../../kernel/module/install.ts'
import { buildIndexes } from '../../node/indexes.ts'
import type { CliCommand } from '../command.ts'
import { RESTART_HINT } from '../restart-hint.ts'
import { withReadyHost } from '../with-host.ts'

export const moduleInstallCommand: CliCommand = {
  name: 'module install',
  summary: 'Install modules and what they depend on',
  names: { label: '<module…>', least: 1, most: 100 },
  options: { demo: { type: 'flag', help: 'load example records, also of what they depend on' } },
  async run(call) {
    const { modules, plan, examples } = await withReadyHost(call, async (host) => {
      const result = await installModules(host.services, host.catalogue, call.names, { demo: call.flag('demo') })
      await buildIndexes(host)
      return result
    })
    const installed = modules.length === 0 ? 'Already installed.' : `Installed: ${modules.join(', ')}.`
    const loaded = [...examples, ...(call.flag('demo') ? modules : [])]
    const none = 'No example records were loaded: they were before, or there are none.'
    const demo = loaded.length > 0 ? `Examples loaded: ${loaded.join(', ')}.` : none
    const text = call.flag('demo') ? `${installed} ${demo}` : installed
    const hint = modules.length > 0 ? `\n${RESTART_HINT}` : ''
    return { json: { modules, examples, steps: plan?.steps ?? [] }, text: text + hint }
  },
}
