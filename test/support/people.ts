import type { Env, Principal } from '../../kernel/env.ts'
import type { Values } from '../../kernel/model/models.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { DEMO_ADDONS } from './demo-addons.ts'
import { demoTemplate } from './demo-database.ts'
import { openModules, type TestModules } from './modules.ts'

/** A database with installed addons and users who act in it, each call in a transaction of its own. */
export interface People {
  readonly database: TestDatabase
  readonly modules: TestModules
  /** Creates a user of the main company who is in these groups (external ids); the id of the user. */
  hire(login: string, groups?: readonly string[], values?: Values<'core.user'>): Promise<number>
  /** Acts as a user, with the rights the database gives them at this moment. */
  as<T>(login: string, work: (env: Env) => Promise<T>): Promise<T>
  asSystem<T>(work: (env: Env) => Promise<T>): Promise<T>
  leave(): Promise<void>
}

/** `admin` administers the service and `ann` just works there. */
export async function openPeople(addons: readonly string[] = ['base']): Promise<People> {
  const database = await createDatabase(demoTemplate(addons))
  const modules = openModules(database.db, DEMO_ADDONS)
  const people: People = {
    database,
    modules,
    asSystem: modules.asSystem,
    async hire(login, groups = ['base.group_user'], values = {}) {
      const { access } = await modules.holder.latest()
      return modules.asSystem(async (env) => {
        const [company] = await env.model('core.company').search([['name', '=', 'My Company']])
        const group_ids = groups.map((group) => access.groupIdByXmlid.get(group)!)
        return env.model('core.user').create({
          login,
          name: login,
          group_ids,
          company_id: company!,
          company_ids: [company!],
          ...values,
        })
      })
    },
    async as(login, work) {
      const state = await modules.holder.latest()
      const user = await findPrincipal(database, login, state.access.impliedGroups)
      const options = { services: modules.services, state, user, requestId: 'test', now: new Date() }
      return inTransaction(options, 'write', work)
    },
    leave: database.drop,
  }
  await people.hire('admin', ['base.group_system'])
  await people.hire('ann')
  return people
}

interface PrincipalRow {
  id: number
  name: string
  lang: string
  company_id: number
  groups: number[]
  companies: number[]
}

async function findPrincipal(
  { db }: TestDatabase,
  login: string,
  implied: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<Principal> {
  const { rows } = await sql<PrincipalRow>`
    select id, name, lang, company_id,
      array(select target_id from core_user_group_ids_rel where source_id = u.id) as groups,
      array(select target_id from core_user_company_ids_rel where source_id = u.id) as companies
    from core_user u where login = ${login} and active`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`there is no user ${login}`)
  return {
    id: row.id,
    login,
    name: row.name,
    groupIds: new Set(row.groups.flatMap((group) => [...(implied.get(group) ?? [group])])),
    companyIds: [row.company_id, ...row.companies.filter((id) => id !== row.company_id)],
    allowedCompanyIds: row.companies,
    lang: row.lang,
    tz: 'UTC',
    scope: null,
    credentials: 'allowed',
  }
}
