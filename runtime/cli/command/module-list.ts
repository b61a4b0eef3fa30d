import { missingModules } from '../../../kernel/module/missing.ts'
import { readModules } from '../../../kernel/module/module-row.ts'
import type { CliCommand } from '../command.ts'
import { table } from '../table.ts'
import { withHost } from '../with-host.ts'

export const moduleListCommand: CliCommand = {
  name: 'module list',
  summary: 'List the modules and what is installed',
  options: {},
  async run(call) {
    const modules = await withHost(call, async ({ services, catalogue }) => {
      const rows = await readModules(services.db)
      const missing = missingModules(rows, catalogue).map((name) => ({
        name,
        state: 'missing',
        version: '',
        installed_version: rows.get(name)!.version,
        application: false,
        depends: [],
        summary: 'installed in the database, but this program lacks it: add its folder to addons_path',
      }))
      const known = [...catalogue.values()].map(({ name, version, summary, application, depends }) => {
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
      return [...known, ...missing]
    })
    const rows = modules.map(({ name, state, version, summary }) => [name, state, version, summary])
    return { json: { modules }, text: table(['MODULE', 'STATE', 'VERSION', 'SUMMARY'], rows) }
  },
}
