import { prepareDatabase } from '../node/prepare-database.ts'
import type { CliCommand } from './command.ts'
import { describeSteps } from './plan.ts'
import { withHost } from './with-host.ts'

export const migrateCommand: CliCommand = {
  name: 'migrate',
  summary: 'Bring the database to the version of this program, as a start does',
  options: {},
  async run(call) {
    const { migrations, modules } = await withHost(call, prepareDatabase)
    const steps = modules.plan?.steps ?? []
    const lines = [
      ...migrations.map((name) => `migration ${name}`),
      ...modules.modules.map((name) => `module ${name}`),
      ...describeSteps(steps),
    ]
    return {
      json: { migrations, modules: modules.modules, steps },
      text: lines.length === 0 ? 'Everything is up to date.' : lines.join('\n'),
    }
  },
}
