import { create } from '../../../kernel/orm/record/create.ts'
import { modelOf } from '../../../kernel/orm/statement/scope.ts'
import { type CliCommand, commaList } from '../command.ts'
import { findGroups } from '../find-groups.ts'
import { PASSWORD_OPTIONS, readPassword } from '../password.ts'
import { runAsSystem, withReadyHost } from '../with-host.ts'

export const userCreateCommand: CliCommand = {
  name: 'user create',
  summary: 'Create a user',
  options: {
    login: { type: 'text', value: 'login', required: true, help: 'login' },
    name: { type: 'text', value: 'name', help: 'name; default the login' },
    email: { type: 'text', value: 'address', help: 'e-mail address' },
    groups: { type: 'text', value: 'a,b', help: 'external ids of groups; default base.group_user' },
    ...PASSWORD_OPTIONS,
  },
  async run(call) {
    const password = await readPassword(call)
    const login = call.text('login')!.trim()
    const groups = commaList(call.text('groups') ?? 'base.group_user')
    const id = await withReadyHost(call, (host) =>
      runAsSystem(host, async (env) => {
        const group_ids = findGroups(env, groups)
        const email = call.text('email') ?? null
        const values = { login, name: call.text('name') ?? login, email, password, group_ids }
        return (await create(env, modelOf(env, 'core.user'), [values]))[0]
      }),
    )
    return { json: { id, login, groups }, text: `Created user ${login} (id ${id}).` }
  },
}
