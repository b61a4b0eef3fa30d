import { installModules } from '../../kernel/module/install.ts'
import { template } from './database.ts'
import { DEMO_ADDONS } from './demo-addons.ts'
import { demoTemplate } from './demo-database.ts'
import { openModules, type TestModules } from './modules.ts'

/** Users of the API tests, by what they may do. */
const USERS = {
  /** All rights of an administrator, and the whole library. */
  admin: ['base.group_system', 'library.group_librarian'],
  /** Works in the library as a reader. */
  demo: ['base.group_user', 'library.group_user'],
  /** An internal user who has nothing to do with the library. */
  guest: ['base.group_user'],
} as const

export type TestUser = keyof typeof USERS

/** Base and the test library with their example records, and the three users. */
export const apiTemplate = template(
  'api',
  async ({ db }) => {
    const modules = openModules(db, DEMO_ADDONS)
    for (const [login, groups] of Object.entries(USERS)) await hire(modules, login, groups)
  },
  demoTemplate(['library']),
)

/** The same with every bundled application and their example records. */
export const appsTemplate = template(
  'api_apps',
  async ({ db }) => {
    const { services, catalogue } = openModules(db, DEMO_ADDONS)
    await installModules(services, catalogue, ['crm', 'project'], { demo: true })
  },
  apiTemplate,
)

/** Creates a user of the main company. */
export async function hire(modules: TestModules, login: string, groups: readonly string[]): Promise<number> {
  const { access } = await modules.holder.latest()
  return modules.asSystem(async (env) => {
    const [company] = await env.model('core.company').search([], { limit: 1 })
    const group_ids = groups.map((group) => access.groupIdByXmlid.get(group)!)
    return env
      .model('core.user')
      .create({ login, name: login, group_ids, company_id: company!, company_ids: [company!] })
  })
}
