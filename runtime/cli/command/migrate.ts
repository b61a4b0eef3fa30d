import { planUpgrade } from '../../../kernel/module/plan-upgrade.ts'
import { planMigrations } from '../../../kernel/schema/migrate.ts'
import { kernelMigrations } from '../../../migrations/index.ts'
import type { Host } from '../../node/host.ts'
import { buildIndexes } from '../../node/indexes.ts'
import { prepareDatabase } from '../../node/prepare-database.ts'
import type { CliCommand, CommandResult } from '../command.ts'
import { withHost } from '../with-host.ts'
import { describeSteps } from './plan.ts'

export const migrateCommand: CliCommand = {
  name: 'migrate',
  summary: 'Bring the database to the version of this program, as a start does',
  options: { plan: { type: 'flag', help: 'only show what would be done' } },
  run: (call) => withHost(call, call.flag('plan') ? plan : migrate),
}

async function migrate(host: Host): Promise<CommandResult> {
  const { migrations, modules } = await prepareDatabase(host)
  const steps = modules.plan?.steps ?? []
  const indexes = await buildIndexes(host)
  const lines = [
    ...migrations.map((name) => `migration ${name}`),
    ...modules.modules.map((name) => `module ${name}`),
    ...describeSteps(steps),
    ...indexes.map((name) => `index ${name}`),
  ]
  return {
    json: { migrations, modules: modules.modules, steps, indexes },
    text: lines.length === 0 ? 'Everything is up to date.' : lines.join('\n'),
  }
}

async function plan({ services: { db }, catalogue }: Host): Promise<CommandResult> {
  const migrations = await planMigrations(db, kernelMigrations)
  const upgrade = await planUpgrade(db, catalogue)
  const modules = upgrade?.modules ?? [{ name: 'base', from: null, to: catalogue.get('base')!.version, migrations: [] }]
  const { steps: within = [], later = [], problems = [] } = upgrade?.schema ?? {}
  const steps = [...within, ...later]
  const lines = [
    ...migrations.map((name) => `migration ${name}`),
    ...modules.flatMap(({ name, from, to, migrations: own }) => [
      `module ${name} ${from === null ? to : `${from} → ${to}`}`,
      ...own.map((file) => `  migration ${file}, before the steps below, which it may change`),
    ]),
    ...describeSteps(steps),
    ...problems.map((problem) => `problem: ${problem}`),
  ]
  return {
    json: { migrations, modules, steps, problems },
    text: lines.length === 0 ? 'Everything is up to date.' : lines.join('\n'),
    failed: problems.length > 0,
  }
}
