import { write } from '../../../kernel/orm/record/write.ts'
import { modelOf } from '../../../kernel/orm/statement/scope.ts'
import type { CliCommand } from '../command.ts'
import { findUser } from '../find-user.ts'
import { PASSWORD_OPTIONS, readPassword } from '../password.ts'
import { runAsSystem, withReadyHost } from '../with-host.ts'

export const userPasswordCommand: CliCommand = {
  name: 'user password',
  summary: 'Set the password of a user, which ends all sessions of that user',
  options: { login: { type: 'text', value: 'login', required: true, help: 'login' }, ...PASSWORD_OPTIONS },
  async run(call) {
    const password = await readPassword(call)
    const { id, login } = await withReadyHost(call, (host) =>
      runAsSystem(host, async (env) => {
        const user = await findUser(env, call.text('login')!)
        await write(env, modelOf(env, 'core.user'), [user.id], { password })
        return user
      }),
    )
    return { json: { id, login }, text: `The password of ${login} is changed.` }
  },
}
