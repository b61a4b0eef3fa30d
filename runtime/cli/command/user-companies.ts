import { notFound } from '../../../kernel/errors.ts'
import { searchIds } from '../../../kernel/orm/record/search.ts'
import { write } from '../../../kernel/orm/record/write.ts'
import { modelOf } from '../../../kernel/orm/statement/scope.ts'
import type { CliCommand } from '../command.ts'
import { findUser } from '../find-user.ts'
import { runAsSystem, withReadyHost } from '../with-host.ts'

/** In the service an administrator can give a user only the administrator's own companies; this command reaches a company without one. */
export const userCompaniesCommand: CliCommand = {
  name: 'user companies',
  summary: 'Let a user work in one more company, or in all',
  options: {
    login: { type: 'text', value: 'login', required: true, help: 'login' },
    company: { type: 'text', value: 'name', help: 'its name; all companies without it' },
  },
  async run(call) {
    const company = call.text('company')
    const { login, ids } = await withReadyHost(call, (host) =>
      runAsSystem(host, async (env) => {
        const user = await findUser(env, call.text('login')!)
        const domain = company === undefined ? [] : [['name', '=', company]]
        const ids = await searchIds(env, modelOf(env, 'core.company'), { domain, archived: 'include' })
        if (ids.length === 0) throw notFound('record_not_found', `There is no company ${company}.`)
        await write(env, modelOf(env, 'core.user'), [user.id], { company_ids: ids.map((id) => [4, id]) })
        return { login: user.login, ids }
      }),
    )
    return { json: { login, company_ids: ids }, text: `${login} works in ${company ?? 'all companies'} now.` }
  },
}
