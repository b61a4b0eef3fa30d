import { read } from '../../../kernel/orm/record/read.ts'
import { write } from '../../../kernel/orm/record/write.ts'
import { modelOf } from '../../../kernel/orm/statement/scope.ts'
import type { CliCommand } from '../command.ts'
import { readId } from '../read-id.ts'
import { runAsSystem, withReadyHost } from '../with-host.ts'

export const keyRevokeCommand: CliCommand = {
  name: 'key revoke',
  summary: 'Revoke an API key for good',
  names: { label: '<id>', least: 1, most: 1 },
  options: {},
  async run(call) {
    const id = readId(call.names[0], 'key')
    const wasActive = await withReadyHost(call, (host) =>
      runAsSystem(host, async (env) => {
        const model = modelOf(env, 'core.api.key')
        const [key] = await read(env, model, [id], ['active'])
        if (key?.['active']) await write(env, model, [id], { active: false })
        return key?.['active'] === true
      }),
    )
    const text = wasActive ? `Key ${id} is revoked.` : `Key ${id} was revoked before.`
    return { json: { id, was_active: wasActive }, text }
  },
}
