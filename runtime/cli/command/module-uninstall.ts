import { counted } from '../../../kernel/i18n/counted.ts'
import {
  previewUninstall,
  purgeModule,
  type UninstallPreview,
  uninstallModule,
} from '../../../kernel/module/uninstall.ts'
import type { Host } from '../../node/host.ts'
import type { CliCommand, CommandResult } from '../command.ts'
import { RESTART_HINT } from '../restart-hint.ts'
import { withReadyHost } from '../with-host.ts'

export const moduleUninstallCommand: CliCommand = {
  name: 'module uninstall',
  summary: 'Remove a module; its data goes to quarantine, from where installing it again restores it',
  names: { label: '<module>', least: 1, most: 1 },
  options: {
    preview: { type: 'flag', help: 'only show what would go' },
    purge: { type: 'flag', help: 'delete its data for good, also what an earlier uninstall kept' },
  },
  run: (call) =>
    withReadyHost(call, (host) => {
      const name = call.names[0]!
      return call.flag('preview') ? preview(host, name) : uninstall(host, name, call.flag('purge'))
    }),
}

async function preview({ services, catalogue }: Host, name: string): Promise<CommandResult> {
  const found = await previewUninstall(services.db, catalogue, name)
  return { json: { preview: found }, text: describe(name, found), failed: found.dependents.length > 0 }
}

async function uninstall({ services, catalogue, holder }: Host, name: string, purge: boolean): Promise<CommandResult> {
  const isInstalled = (await holder.latest()).registry.addons.includes(name)
  const kept = isInstalled || !purge ? (await uninstallModule(services, catalogue, name)).quarantined : []
  const purged = purge ? await purgeModule(services, catalogue, name) : []
  const text = purge ? `Uninstalled ${name} and deleted its data.` : `Uninstalled ${name}. Its data is in quarantine.`
  return { json: { module: name, quarantined: purge ? [] : kept, purged }, text: `${text}\n${RESTART_HINT}` }
}

function describe(name: string, { dependents, tables, columns, records }: UninstallPreview): string {
  return [
    ...(dependents.length > 0 ? [`needed by ${dependents.join(', ')}: cannot go`] : []),
    ...tables.map(({ table, rows }) => `table ${table} (${counted(rows, 'row')})`),
    ...columns.map(({ table, column, rows }) => `column ${table}.${column} (${counted(rows, 'value')})`),
    ...Object.entries(records).map(([model, count]) => `${counted(count, 'record')} of ${model}`),
    `Uninstalling ${name} would take this away.`,
  ].join('\n')
}
