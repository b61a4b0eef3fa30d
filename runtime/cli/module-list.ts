import { readModules } from '../../kernel/module/module-row.ts'
import type { CliCommand } from './command.ts'
import { withHost } from './with-host.ts'

export const moduleListCommand: CliCommand = {
  name: 'module list',
  summary: 'List the modules and what is installed',
  options: {},
  async run(call) {
    const modules = await withHost(call, async ({ services, catalogue }) => {
      const rows = await readModules(services.db)
      return [...catalogue.values()].map(({ name, version, summary, application, depends }) => {
        const row = rows.get(name)
        const state = row?.state ?? 'uninstalled'
        return {
          name,
          state,
          version,
          installed_version: state === 'uninstalled' ? null : row!.version,
          application,
          depends,
          summary,
        }
      })
    })
    const width = Math.max(...modules.map(({ name }) => name.length))
    const lines = modules.map(
      ({ name, state, version, summary }) =>
        `${name.padEnd(width)}  ${state.padEnd(11)}  ${version.padEnd(6)}  ${summary}`,
    )
    return { json: { modules }, text: lines.join('\n') }
  },
}
