import { installModules } from '../../kernel/module/install.ts'
import { type Sql, sql } from '../../kernel/sql/sql.ts'
import type { Agent } from './agent.ts'
import { apiTemplate } from './api-database.ts'
import { template } from './database.ts'
import type { AccessLine, Person } from './declared-access.ts'
import { DEMO_ADDONS } from './demo-addons.ts'
import type { Host } from './hosts.ts'
import { openModules, type TestModules } from './modules.ts'

/** A person of the scene and the caller that acts for them. */
export interface Player extends Person {
  readonly name: string
  readonly agent: Agent
}

/** Roles by the groups they are in; `test.*` are groups of the scene itself. */
const GROUPS = {
  administrator: ['base.group_system'],
  colleague: ['base.group_user'],
  reader: ['library.group_user'],
  librarian: ['library.group_librarian'],
  /** A librarian of the other company. */
  outsider: ['library.group_librarian'],
  /** May change the catalogue without being a librarian. */
  cataloguer: ['library.group_user', 'test.cataloguer'],
  /** May change tags and authors, but read neither. */
  depositor: ['test.depositor'],
  /** Can sign in and nothing else. */
  stranger: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Role = keyof typeof GROUPS
export const ROLES = Object.keys(GROUPS) as readonly Role[]

const line = (group: string, model: string, rights: string): AccessLine => ({
  group,
  model,
  read: rights.includes('r'),
  write: rights.includes('w'),
  create: rights.includes('c'),
  unlink: rights.includes('u'),
})

/** Access lines of the scene's own groups. */
export const SCENE_LINES: readonly AccessLine[] = [
  line('test.cataloguer', 'library.author', 'rwcu'),
  line('test.cataloguer', 'library.book', 'rwcu'),
  line('test.cataloguer', 'library.shelf', 'rwcu'),
  line('test.depositor', 'core.tag', 'wcu'),
  line('test.depositor', 'library.author', 'wcu'),
]

export interface Scene {
  readonly players: Readonly<Record<Role, Player>>
  readonly companies: readonly [own: number, other: number]
}

/** Two companies with people, and on both sides records of every model that a rule divides. */
export const twoCompanies = template(
  'two_companies',
  async ({ db }) => {
    const modules = openModules(db, DEMO_ADDONS)
    await installModules(modules.services, modules.catalogue, ['library_extra'])
    const companies = await addCompanies(modules)
    const groupIds = await addGroups(modules)
    const ids: Partial<Record<Role, number>> = {}
    for (const name of ROLES) {
      const own = companies[name === 'outsider' ? 1 : 0]
      const group_ids = GROUPS[name].map((group) => groupIds.get(group)!)
      ids[name] = await modules.asSystem((env) =>
        env.model('core.user').create({ name, login: name, group_ids, company_id: own, company_ids: [own] }),
      )
    }
    // Every role has got its user in the loop.
    await addRecords(modules, ids as Record<Role, number>, companies)
  },
  apiTemplate,
)

/** The people of a host whose database is a clone of `twoCompanies`. */
export async function openTwoCompanies({ modules, signIn }: Host): Promise<Scene> {
  const { users, companies } = await modules.asSystem(async (env) => ({
    users: await env.model('core.user').searchRead([['login', 'in', ROLES]], ['login', 'company_id']),
    companies: await env.model('core.company').search([['user_ids.login', 'in', ROLES]], { order: 'id' }),
  }))
  const players: Partial<Record<Role, Player>> = {}
  for (const name of ROLES) {
    const { id, company_id } = users.find(({ login }) => login === name)!
    players[name] = { id, name, groups: GROUPS[name], companyIds: [company_id[0]], agent: await signIn(name) }
  }
  // Every role has got its player in the loop.
  return { players: players as Record<Role, Player>, companies: [companies[0]!, companies[1]!] }
}

async function addCompanies(modules: TestModules): Promise<readonly [number, number]> {
  return modules.asSystem(async (env) => {
    const [own] = await env.model('core.company').searchRead([], ['currency_id'], { limit: 1 })
    const other = await env.model('core.company').create({ name: 'Other Company', currency_id: own!.currency_id[0] })
    return [own!.id, other]
  })
}

async function addGroups(modules: TestModules): Promise<ReadonlyMap<string, number>> {
  const { access } = await modules.holder.latest()
  const ids = new Map(access.groupIdByXmlid)
  await modules.asSystem(async (env) => {
    for (const { group, model, read, write, create, unlink } of SCENE_LINES) {
      if (!ids.has(group)) ids.set(group, await env.model('core.group').create({ name: group }))
      await env.model('sys.access').create({
        name: `${group} ${model}`,
        model,
        group_id: ids.get(group)!,
        perm_read: read,
        perm_write: write,
        perm_create: create,
        perm_unlink: unlink,
      })
    }
  })
  return ids
}

async function addRecords(
  modules: TestModules,
  ids: Readonly<Record<Role, number>>,
  [own, other]: readonly [number, number],
): Promise<void> {
  await modules.asSystem(async (env) => {
    for (const name of ['administrator', 'colleague', 'reader', 'librarian', 'outsider'] as const) {
      const user_id = ids[name]
      await env.model('sys.filter').create({ name: `Filter of ${name}`, model: 'core.partner', user_id })
      await env.model('sys.bulk.import').create({ model: 'core.partner', user_id })
      await env.model('core.api.key').create({ name: `Key of ${name}`, user_id })
      for (const is_shared of [false, true]) {
        const tile = { name: 'Partners', view_type: 'list', model: 'core.partner' }
        const tile_ids = [[0, 0, tile] as const]
        await env.model('sys.dashboard').create({ name: `Dashboard of ${name}`, user_id, is_shared, tile_ids })
      }
    }
    await env.model('sys.filter').create({ name: 'Shared', model: 'core.partner', user_id: null })
    const [author] = await env.model('library.author').search([], { limit: 1 })
    const [currency] = await env.model('core.currency').search([['name', '=', 'EUR']])
    const shelves = await env
      .model('library.shelf')
      .createMany([
        { name: 'Open' },
        { name: 'Kept by the librarian', keeper_id: ids.librarian },
        { name: 'Kept by the outsider', keeper_id: ids.outsider },
        { name: 'Kept by the colleague', keeper_id: ids.colleague },
      ])
    for (const company_id of [own, other, null]) {
      const at = `at ${company_id ?? 'no company'}`
      await env.model('sys.sequence').create({ name: `Sequence ${at}`, code: 'scene', company_id })
      const [partner = 0, contact = 0] = await env.model('core.partner').createMany([
        { name: `Partner ${at}`, email: 'partner@example.com', company_id },
        {
          name: `Contact ${at}`,
          company_id,
          user_id: company_id === other ? ids.outsider : ids.librarian,
        },
      ])
      await env.model('core.partner').write([contact], { parent_id: partner })
      const books = await env.model('library.book').createMany(
        shelves.map((shelf_id, i) => ({
          title: `Book ${i} ${at}`,
          author_id: author!,
          co_author_ids: [author!],
          shelf_id,
          company_id,
          currency_id: currency!,
          purchase_price: 10 + i,
          pages: 100 + i,
        })),
      )
      for (const user_id of [ids.reader, ids.librarian, ids.outsider]) {
        await env.model('library.loan').create({
          borrower_id: partner,
          user_id,
          company_id,
          line_ids: books.map((book_id, i) => [0, 0, { book_id, days: 10 + i, fee: 1 }] as const),
        })
      }
      await env.model('library.review').create({ book_id: books[0]!, user_id: ids.reader, rating: 3 })
    }
  })
}

export type RawRow = Readonly<Record<string, unknown>> & { readonly id: number }

/** Values that rules use besides the columns of a table, by model. Groups are given by external ids. */
const MORE_COLUMNS: Readonly<Record<string, Sql>> = {
  'sys.dashboard.tile': sql`
    (select user_id from sys_dashboard d where d.id = t.dashboard_id) as "dashboard_id.user_id",
    (select is_shared from sys_dashboard d where d.id = t.dashboard_id) as "dashboard_id.is_shared"`,
  'sys.action': sql`array(select x.module || '.' || x.name from sys_action_group_ids_rel l
    join sys_xmlid x on x.model = 'core.group' and x.res_id = l.target_id where l.source_id = t.id) as group_ids`,
}

/** Every row of a model's table, past all access control, with what its rules ask of other tables. */
export async function rawRows({ database }: Host, model: string): Promise<readonly RawRow[]> {
  const table = sql.table(model.replaceAll('.', '_'))
  const more = MORE_COLUMNS[model]
  const statement = sql<RawRow>`select t.*${more ? sql`, ${more}` : sql``} from ${table} t order by t.id`
  return (await statement.execute(database.db)).rows
}

/** Runs `check` for many cases, a few at a time, and collects its complaints. */
export async function complaints<T>(cases: Iterable<T>, check: (item: T) => Promise<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  const queue = [...cases]
  const work = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
      const complaint = await check(item)
      if (complaint !== undefined) found.push(complaint)
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
  return found
}

/** The partners that stand for companies and users, each with its user, null for a company: only administrators change them. */
export async function partnerOwners(host: Host): Promise<ReadonlyMap<number, number | null>> {
  const { rows } = await sql<{ partner_id: number; user_id: number | null }>`
    select partner_id, id as user_id from core_user union all select partner_id, null from core_company`.execute(
    host.database.db,
  )
  return new Map(rows.map(({ partner_id, user_id }) => [partner_id, user_id]))
}

/** The users who work in another company too, so that administrators of these companies do not manage them or their keys. */
export async function usersElsewhere(host: Host, companyIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select source_id as id from core_user_company_ids_rel where target_id <> all(${companyIds}::int[])`.execute(
    host.database.db,
  )
  return new Set(rows.map(({ id }) => id))
}
