import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trustDomain } from '../../kernel/access/decide.ts'
import { parseDomain } from '../../kernel/domain/parse.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { readGroup } from '../../kernel/orm/group/group.ts'
import { search, searchIds } from '../../kernel/orm/record/search.ts'
import { compileWhere, fromTable, modelOf, rootScope } from '../../kernel/orm/statement/scope.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openPeople, type People } from '../support/people.ts'

const CHILDREN = 500

let people: People

beforeAll(async () => {
  people = await openPeople()
  await people.asSystem(async (env) => {
    const parent_id = await env.model('core.partner').create({ name: 'Root', is_company: true })
    const children = Array.from({ length: CHILDREN }, (_, i) => ({ name: `Child ${i}`, parent_id }))
    await env.model('core.partner').createMany(children)
  })
  await sql`analyze core_partner`.execute(people.database.db)
})
afterAll(() => people.leave())

interface Plan {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows that all parts of a plan have looked at. */
const touched = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + touched(part), 0)

const cost = (domain: readonly unknown[]) =>
  people.as('admin', async (env) => {
    const scope = rootScope(env, modelOf(env, 'core.partner'))
    const node = parseDomain(domain, scope.model, { registry: env.registry, now: env.now, tz: env.tz })
    const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>`
      explain (analyze, format json) select count(*) from ${fromTable(scope)}
      where ${compileWhere(scope, trustDomain(node))}`.execute(env.tx)
    return touched(rows[0]!['QUERY PLAN'][0]!.Plan)
  })

/** A path that goes to the children and back again. */
const path = (hops: number, field: string) =>
  [...Array.from({ length: hops }, (_, i) => (i % 2 === 0 ? 'child_ids' : 'parent_id')), field].join('.')

describe('a deep path', () => {
  test.each([3, 5, 9])('costs rows in proportion to its %i steps, also where nothing matches', async (hops) => {
    expect(await cost([[path(hops, 'name'), '=', 'nobody']])).toBeLessThan(20 * hops * CHILDREN)
  })

  test('costs the same inside an alternative and under a negation', async () => {
    const deep = [path(5, 'name'), '=', 'nobody']
    expect(await cost(['|', ['name', '=', 'nobody'], deep])).toBeLessThan(100 * CHILDREN)
    expect(await cost(['!', deep])).toBeLessThan(100 * CHILDREN)
  })

  test('finds what it found before', async () => {
    const count = (domain: readonly unknown[]) =>
      people.as('admin', (env) => searchIds(env, modelOf(env, 'core.partner'), { domain }).then((ids) => ids.length))
    expect(await count([[path(4, 'name'), '=', 'Root']])).toBe(1)
    expect(await count([[path(5, 'name'), '=', 'Child 7']])).toBe(1)
    expect(await count([[`parent_id.${path(4, 'name')}`, '=', 'Root']])).toBe(CHILDREN)
    const all = await count([])
    expect(await count(['!', [path(5, 'name'), '=', 'Child 7']])).toBe(all - 1)
  })

  test(`domainHops: ${LIMITS.domainHops}`, async () => {
    const domain = (hops: number) =>
      Array.from({ length: hops / 10 }, (_, i) => [path(10, 'name'), '!=', `nobody ${i}`])
    const search = (hops: number) =>
      people.as('admin', (env) => searchIds(env, modelOf(env, 'core.partner'), { domain: domain(hops) }))
    await expect(search(LIMITS.domainHops)).resolves.toEqual(expect.any(Array))
    await expect(search(LIMITS.domainHops + 10)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

test(`groupLinks: ${LIMITS.groupLinks}`, async () => {
  const group = (groupby: readonly string[]) =>
    people.as('admin', (env) =>
      readGroup(env, modelOf(env, 'core.user'), { domain: [], groupby: [...groupby], fields: [] }, { limit: 1 }),
    )
  await expect(group(['group_ids', 'company_ids'])).resolves.toHaveLength(1)
  await expect(group(['group_ids', 'company_ids', 'partner_id.tag_ids'])).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('many2many'),
  })
})

describe('a page behind an offset', () => {
  const ORDERS = ['name', 'name desc', 'country_id, name desc', 'parent_id desc', 'write_date desc, city']
  const FIELDS = ['name', 'country_id', 'parent_id', 'tag_ids']

  test.each(ORDERS)('has the records and the cursor of the same place in the whole, ordered by %s', async (order) => {
    await people.as('admin', async (env) => {
      const model = modelOf(env, 'core.partner')
      const find = (limit: number, offset: number) =>
        search(env, model, { domain: [], fields: FIELDS, order, limit, offset })
      const whole = await find(120, 0)
      const page = await find(20, 100)
      expect(page.records).toEqual(whole.records.slice(100))
      const cursor = (await page.nextCursor())!
      const next = await search(env, model, { domain: [], fields: FIELDS, order, limit: 20, cursor })
      expect(next.records).toEqual((await find(20, 120)).records)
    })
  })

  test('looks up names for its own records only, however many it skips', async () => {
    await people.asSystem(async (env) => {
      const [country] = await env.model('core.country').search([], { limit: 1 })
      await env.model('core.partner').write(await env.model('core.partner').search([]), { country_id: country! })
    })
    await people.as('admin', async (env) => {
      const lookups = async () => {
        const { rows } = await sql<{ count: number }>`
          select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as count from pg_stat_xact_user_tables
          where relname = 'core_country'`.execute(env.tx)
        return rows[0]!.count
      }
      const before = await lookups()
      const query = { domain: [], fields: ['country_id'], order: 'name', limit: 10, offset: CHILDREN - 100 }
      const { records } = await search(env, modelOf(env, 'core.partner'), query)
      expect(records).toHaveLength(10)
      expect((await lookups()) - before).toBeLessThanOrEqual(10)
    })
  })
})
