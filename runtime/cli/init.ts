import { initialise } from '../../kernel/module/initialise.ts'
import { prepareDatabase } from '../node/prepare-database.ts'
import { type CliCommand, commaList } from './command.ts'
import { PASSWORD_OPTIONS, readPassword } from './password.ts'
import { withHost } from './with-host.ts'

export const initCommand: CliCommand = {
  name: 'init',
  summary: 'Set up a new database: company, administrator and modules',
  options: {
    company: { type: 'text', value: 'name', required: true, help: 'name of the company' },
    login: { type: 'text', value: 'login', required: true, help: 'login of the administrator' },
    name: { type: 'text', value: 'name', help: 'full name of the administrator; default Administrator' },
    ...PASSWORD_OPTIONS,
    language: { type: 'text', value: 'tag', help: 'language of the administrator; default en' },
    timezone: { type: 'text', value: 'zone', help: 'time zone of the administrator; default that of this machine' },
    currency: { type: 'text', value: 'code', help: 'currency of the company; default EUR' },
    modules: { type: 'text', value: 'a,b', help: 'modules to install' },
    demo: { type: 'flag', help: 'load example records' },
  },
  async run(call) {
    const password = await readPassword(call)
    const login = call.text('login')!
    const options = {
      company: call.text('company')!,
      name: call.text('name'),
      login,
      password,
      language: call.text('language') ?? 'en',
      timezone: call.text('timezone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      currency: call.text('currency') ?? 'EUR',
      modules: commaList(call.text('modules')),
      demo: call.flag('demo'),
    }
    const { userId, modules } = await withHost(call, async (host) => {
      await prepareDatabase(host)
      return initialise(host.services, host.catalogue, options)
    })
    const installed = modules.length === 0 ? '' : ` Installed: ${modules.join(', ')}.`
    const next = `Create an API key:\n  npx svc key create --login ${login} --name "my first key"`
    return { json: { user_id: userId, login, modules }, text: `The database is set up.${installed}\n\n${next}` }
  },
}
