import { write } from '../../kernel/orm/record/write.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { type CliCommand, UsageError } from './command.ts'
import { runAsSystem, withReadyHost } from './with-host.ts'

export const keyRevokeCommand: CliCommand = {
  name: 'key revoke',
  summary: 'Revoke an API key for good',
  names: { label: '<id>', least: 1, most: 1 },
  options: {},
  async run(call) {
    const id = Number(call.names[0])
    if (!Number.isInteger(id) || id < 1) throw new UsageError(`Not the id of a key: ${call.names[0]}.`)
    await withReadyHost(call, (host) =>
      runAsSystem(host, (env) => write(env, modelOf(env, 'core.api.key'), [id], { active: false })),
    )
    return { json: { id }, text: `Key ${id} is revoked.` }
  },
}
