import { counted } from '../../../kernel/i18n/counted.ts'
import { planModules } from '../../../kernel/module/install.ts'
import type { PlanStep } from '../../../kernel/schema/plan.ts'
import type { CliCommand } from '../command.ts'
import { table } from '../table.ts'
import { withReadyHost } from '../with-host.ts'

/** A table of the steps: what each may lose, what it locks, what it does. Empty without steps. */
export function describeSteps(steps: readonly PlanStep[]): string[] {
  if (steps.length === 0) return []
  const rows = steps.map(({ loss, lock, kind, table: name, target, rows: count }) => {
    const what = target === null ? `${kind} ${name}` : `${kind} ${name}.${target}`
    return [loss, lock, `${what}${count > 0 ? ` (${counted(count, 'row')})` : ''}`]
  })
  return [table(['LOSS', 'LOCK', 'STEP'], rows)]
}

export const planCommand: CliCommand = {
  name: 'plan',
  summary: 'Show what an update, or installing the named modules, would do to the schema',
  names: { label: '[module…]', least: 0, most: 100 },
  options: { sql: { type: 'flag', help: 'show the statements' } },
  async run(call) {
    const plan = await withReadyHost(call, ({ services, catalogue }) => planModules(services.db, catalogue, call.names))
    const { orphans, problems } = plan
    const steps = [...plan.steps, ...plan.later]
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
