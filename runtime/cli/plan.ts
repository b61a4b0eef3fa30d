import { planModules } from '../../kernel/module/install.ts'
import type { PlanStep } from '../../kernel/schema/plan.ts'
import type { CliCommand } from './command.ts'
import { withReadyHost } from './with-host.ts'

/** One line per step: what it may cost, whom it blocks, what it does. */
export const describeSteps = (steps: readonly PlanStep[]): string[] =>
  steps.map(({ loss, lock, kind, table, target, rows }) => {
    const what = target === null ? `${kind} ${table}` : `${kind} ${table}.${target}`
    return `${loss.padEnd(10)}  ${lock.padEnd(19)}  ${what}${rows > 0 ? ` (${rows} rows)` : ''}`
  })

export const planCommand: CliCommand = {
  name: 'plan',
  summary: 'Show what an update, or installing the named modules, would do to the schema',
  names: { label: '[module…]', least: 0, most: 100 },
  options: { sql: { type: 'flag', help: 'show the statements' } },
  async run(call) {
    const plan = await withReadyHost(call, ({ services, catalogue }) => planModules(services.db, catalogue, call.names))
    const { steps, orphans, problems } = plan
    const orphanLines = orphans.map(({ table, column }) => `orphan: ${column === null ? table : `${table}.${column}`}`)
    const stepLines = call.flag('sql') ? steps.map((step) => `${step.sql};`) : describeSteps(steps)
    const lines = [...stepLines, ...orphanLines, ...problems.map((problem) => `problem: ${problem}`)]
    return {
      json: { steps, orphans, problems },
      text: lines.length === 0 ? 'Nothing to do.' : lines.join('\n'),
      failed: problems.length > 0,
    }
  },
}
