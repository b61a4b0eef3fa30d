import { type Template, template } from './database.ts'
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

const withUsers = (name: string, from: Template): Template =>
  template(
    name,
    async ({ db }) => {
      const modules = openModules(db, DEMO_ADDONS)
      for (const [login, groups] of Object.entries(USERS)) await hire(modules, login, groups)
    },
    from,
  )

/** Base and the test library with their example records, and the three users. */
export const apiTemplate = withUsers('api', demoTemplate(['library']))

/** The same with every bundled application. */
export const appsTemplate = withUsers('api_apps', demoTemplate(['library', 'crm', 'project']))

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
