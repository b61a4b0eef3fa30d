import { createInterface } from 'node:readline/promises'
import type { ExampleUser } from '../../../kernel/module/example-users.ts'
import type { Catalogue } from '../../../kernel/module/graph.ts'
import { initialise } from '../../../kernel/module/initialise.ts'
import type { Config } from '../../config.ts'
import { prepareDatabase } from '../../node/prepare-database.ts'
import { ownUrl } from '../../own-url.ts'
import { type Call, type CliCommand, commaList } from '../command.ts'
import { PASSWORD_OPTIONS, readPassword } from '../password.ts'
import { table } from '../table.ts'
import { requireOwnSecret, withHost } from '../with-host.ts'

export const initCommand: CliCommand = {
  name: 'init',
  summary: 'Set up a new database: company, administrator and modules',
  options: {
    company: { type: 'text', value: 'name', required: true, help: 'name of the company' },
    login: { type: 'text', value: 'login', required: true, help: 'login of the administrator' },
    name: { type: 'text', value: 'name', help: 'full name of the administrator; default Administrator' },
    email: {
      type: 'text',
      value: 'address',
      help: 'mail address of the administrator; default the login if it is one',
    },
    ...PASSWORD_OPTIONS,
    language: { type: 'text', value: 'tag', help: 'language of the administrator; default en' },
    timezone: { type: 'text', value: 'zone', help: 'time zone of the administrator; default that of this machine' },
    currency: { type: 'text', value: 'code', help: 'currency of the company; default EUR' },
    modules: { type: 'text', value: 'a,b', help: 'apps to install, or all, or none; without it a terminal is asked' },
    demo: { type: 'flag', help: 'load example records' },
  },
  async run(call) {
    const password = await readPassword(call)
    const choice = call.text('modules')
    const login = call.text('login')!.trim()
    const options = {
      company: call.text('company')!,
      name: call.text('name'),
      login,
      email: call.text('email'),
      password,
      language: call.text('language') ?? 'en',
      timezone: call.text('timezone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      currency: call.text('currency') ?? 'EUR',
      demo: call.flag('demo'),
    }
    const { userId, modules, examples, apps } = await withHost(call, async (host) => {
      const apps = appsOf(host.catalogue)
      const wanted = chooseModules(choice ?? (call.input.isTTY ? await askModules(call, apps) : 'none'), apps)
      await prepareDatabase(host)
      await requireOwnSecret(host)
      return { ...(await initialise(host.services, host.catalogue, { ...options, modules: wanted })), apps }
    })
    const installed =
      modules.length > 0
        ? ` Installed: ${modules.join(', ')}.`
        : ` No app is installed yet. There are ${apps.join(', ')}:\n  npx svc module install ${apps[0]}`
    const next = `Create an API key:\n  npx svc key create --login ${login} --name "my first key"`
    return {
      json: { user_id: userId, login, modules, examples },
      text: [`The database is set up.${installed}`, next, ...describeExamples(examples, call.config)].join('\n\n'),
    }
  },
}

function describeExamples(examples: readonly ExampleUser[], config: Config): string[] {
  if (examples.length === 0) return []
  const rows = examples.map(({ name, login, company, roles }) => [name, login, company, roles.join(', ')])
  const links = examples.map(({ login, link }) => [login, link])
  return [
    'Try it as a user of the demo data. A link to choose the password works once, for half an hour, while the service runs:',
    table(['NAME', 'LOGIN', 'COMPANY', 'ROLES'], rows),
    table(['LOGIN', 'LINK'], links),
    ...(config.public_url
      ? []
      : [
          `They begin with ${ownUrl(config)}, as the settings say. Where the service was started with another port, put that in.`,
        ]),
  ]
}

/** The apps that the wizard in the browser also offers. */
const appsOf = (catalogue: Catalogue): string[] =>
  [...catalogue.values()].filter((addon) => addon.application).map((addon) => addon.name)

function chooseModules(choice: string, apps: readonly string[]): readonly string[] {
  if (choice === 'all') return apps
  return choice === 'none' ? [] : commaList(choice)
}

async function askModules({ input }: Call, apps: readonly string[]): Promise<string> {
  const terminal = createInterface({ input, output: process.stderr })
  try {
    const answer = await terminal.question(`Apps to install (${apps.join(',')}, or none) [all]: `)
    return answer.trim() || 'all'
  } finally {
    terminal.close()
  }
}
