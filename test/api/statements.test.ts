import { afterAll, beforeAll, expect, test } from 'vitest'
import { METHODS } from '../../kernel/rpc/methods.ts'
import { startTrace } from '../../kernel/trace.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import type { Agent } from '../support/agent.ts'
import { PATIENCE_MS } from '../support/database.ts'
import { describeHost } from '../support/hosts.ts'

/**
 * Round trips to PostgreSQL of each RPC method on a plain model, beside that of the authentication: the same for one record and for many.
 * BEGIN goes with the first statement of a transaction; the event of a write with its COMMIT.
 */
const ROUND_TRIPS: Readonly<Record<string, number>> = {
  search: 1,
  search_read: 1,
  read: 1,
  read_group: 1,
  onchange: 2,
  create: 2,
  create_many: 2,
  write: 2,
  write_many: 2,
  unlink: 2,
  unlink_many: 2,
}

/**
 * Round trips of a workspace by kind of view, with few records and with more than a page of them: the page with the number of records, which
 * is asked for afterwards where the view has a condition; the columns of a board and their cards; or only the number, where the view asks for
 * its figures itself.
 */
const OF_WORKSPACE: Readonly<Record<string, readonly [few: number, many: number]>> = {
  list: [1, 1],
  kanban: [2, 2],
  graph: [1, 1],
  pivot: [1, 1],
  cohort: [1, 1],
  calendar: [1, 2],
  gantt: [1, 2],
  map: [1, 2],
}

const PARTNER_VIEWS = {
  kanban: '<kanban default_group_by="country_id"><card><field name="name"/></card></kanban>',
  graph: '<graph><field name="country_id"/></graph>',
  pivot: '<pivot><field name="country_id" type="row"/></pivot>',
  cohort: '<cohort date_start="create_date" date_stop="write_date" interval="month"/>',
  calendar: '<calendar date_start="create_date"><field name="name"/></calendar>',
  gantt: '<gantt date_start="create_date" date_stop="write_date"><field name="name"/></gantt>',
  map: '<map latitude="latitude" longitude="longitude"><field name="name"/></map>',
} as const

let main: Database

/** The number in the header `Server-Timing`. */
const roundTripsOf = (headers: Headers): number => {
  const found = /sql;dur=[\d.]+;desc="(\d+) round trips"/.exec(headers.get('server-timing') ?? '')
  return Number(found?.[1] ?? 0)
}

describeHost(
  'a service that measures its requests',
  'process',
  (host) => {
    let admin: Agent
    let browser: Agent
    beforeAll(async () => {
      const { dsn } = host.database
      main = connectDatabase({ dsn, maxConnections: 4, applicationName: 'statements', connectWaitMs: PATIENCE_MS })
      admin = await host.apiKey('admin')
      browser = await host.signIn('admin')
    })
    afterAll(() => main.close())

    const call = async (model: string, method: string, args: readonly unknown[], kwargs = {}) => {
      const answer = await admin.send({ model, method, args, kwargs })
      expect(answer.error).toBeNull()
      return { result: answer.result, roundTrips: roundTripsOf(answer.headers) }
    }
    const tags = (count: number, name: string) => Array.from({ length: count }, (_, i) => ({ name: `${name} ${i}` }))

    test('says in a header and in the log what each phase took', async () => {
      const { headers } = await admin.send({ model: 'core.tag', method: 'search_read', args: [[], ['name']] })
      const phases = ['auth', 'admit', 'parse', 'decide', 'compile', 'wait', 'sql', 'shape', 'serialise', 'total']
      const timing = headers.get('server-timing')!
      expect(timing.split(', ').map((entry) => entry.split(';')[0])).toEqual(phases)
      expect(timing).toMatch(/sql;dur=\d+\.\d\d;desc="1 round trips"/)
      expect(host.observed.findLast(({ kind }) => kind === 'request')).toMatchObject({ path: '/api/rpc', timing })
    })

    test.each([1, 40])('each method takes the round trips declared for it, with %i records', async (count) => {
      const taken: Record<string, number> = {}
      const note = async (method: string, args: readonly unknown[], kwargs = {}) => {
        const { result, roundTrips } = await call('core.tag', method, args, kwargs)
        taken[method] = roundTrips
        return result
      }
      // What is loaded when it is first needed, such as the names of currencies, is not part of a call.
      await call('core.tag', 'create', [{ name: `first of ${count}` }])
      const ids = (await note('create_many', [tags(count, `many ${count}`)])) as number[]
      const others = (await note('create_many', [tags(count, `other ${count}`)])) as number[]
      const one = await note('create', [{ name: `one of ${count}` }])
      await note('search', [[['id', 'in', ids]]])
      await note('search_read', [[['id', 'in', ids]], ['name', 'create_uid']])
      await note('read', [ids, ['name', 'create_uid']])
      await note('read_group', [{ domain: [['id', 'in', ids]], groupby: ['create_uid'] }])
      await note('onchange', [{ name: 'x' }, 'name'], { id: ids[0] })
      await note('write', [ids, { color: 3 }])
      await note('write_many', [ids, { color: 4 }])
      await note('unlink', [others])
      await note('unlink_many', [[...ids, one]])
      expect(taken).toEqual(ROUND_TRIPS)
      expect([...METHODS.keys()].filter((name) => !Object.hasOwn(taken, name))).toEqual(['call'])
    })

    test('who is no administrator changes a partner with no more: the writing statement reads whose it is', async () => {
      const guest = await host.apiKey('guest')
      const id = await guest.must<number>('core.partner', 'create', [{ name: 'Anybody' }])
      const { status, headers } = await guest.send({
        model: 'core.partner',
        method: 'write',
        args: [[id], { city: 'X' }],
      })
      expect([status, roundTripsOf(headers)]).toEqual([200, ROUND_TRIPS['write']])
    })

    test('no model reads record by record: a page takes the round trips of a single record', async () => {
      const { registry } = await host.modules.holder.latest()
      const models = [...registry.models.values()].filter(({ rpc }) => rpc !== 'none').map(({ name }) => name)
      const more: string[] = []
      for (const model of models) {
        const page = async (limit: number) => call(model, 'search', [[]], { limit, archived: 'include' })
        const [one, many] = [await page(1), await page(80)]
        if (many.roundTrips > one.roundTrips) more.push(`${model}: ${one.roundTrips} and ${many.roundTrips}`)
      }
      expect(models.length).toBeGreaterThan(10)
      expect(more).toEqual([])
    })

    test('a list counts its records in the round trip of its page; a search, or a list of own records, only when the page is full', async () => {
      const load = async (query: string, agent = browser) => {
        const path = `/web/wc/workspace?model=core.country&view_type=list&${query}`
        const response = await agent.get(path, { accept: 'application/json' })
        expect(response.status).toBe(200)
        const { listTotal } = (await response.json()) as { readonly listTotal: number }
        return [roundTripsOf(response.headers), listTotal] as const
      }
      // The first one loads views for all that follow.
      await load('offset=0')
      const [, all] = await load('offset=0')
      expect(all).toBeGreaterThan(200)
      expect([await load('offset=0'), await load('offset=80')]).toEqual([
        [1, all],
        [1, all],
      ])
      const [[few], [many, found]] = [await load('q=land'), await load('q=a')]
      expect([few, many]).toEqual([1, 2])
      expect(await load('q=a&offset=80')).toEqual([2, found])

      const guest = await host.signIn('guest')
      await load('offset=0', guest)
      expect(await load('offset=0', guest)).toEqual([1, all])
      const rule = { name: 'Named', model: 'core.country', domain: "[['code', '!=', 'XX']]" }
      const id = await host.modules.asSystem((env) => env.model('sys.rule').create(rule))
      await load('offset=0', guest)
      expect(await load('offset=0', guest)).toEqual([2, all])
      await host.modules.asSystem((env) => env.model('sys.rule').unlink([id]))
    })

    test('the workspace of each kind of view takes the round trips declared for it, with few and with many records', async () => {
      for (const [type, arch] of Object.entries(PARTNER_VIEWS))
        await call('sys.view', 'create', [{ name: type, model: 'core.partner', type, arch }])
      const load = async () => {
        const taken: Record<string, number> = {}
        for (const type of Object.keys(OF_WORKSPACE)) {
          const path = `/web/wc/workspace?model=core.partner&view_type=${type}`
          // The first one loads the view for those that follow.
          for (let time = 0; time < 2; time++) {
            const response = await browser.get(path, { accept: 'application/json' })
            expect([type, response.status]).toEqual([type, 200])
            taken[type] = roundTripsOf(response.headers)
          }
        }
        return taken
      }
      const few = await load()
      const places = Array.from({ length: 300 }, (_, i) => ({ name: `Place ${i}`, latitude: i / 4, longitude: i / 2 }))
      for (let time = 0; time < 2; time++) await call('core.partner', 'create_many', [places])
      const many = await load()
      const types = Object.keys(OF_WORKSPACE)
      expect(Object.fromEntries(types.map((type) => [type, [few[type], many[type]]]))).toEqual(OF_WORKSPACE)
    })
  },
  (services) => ({
    startTrace: () => startTrace(() => performance.now()),
    forRequest: (signal, ms, options) => (main === undefined ? services.db : main.forRequest(signal, ms, options)),
  }),
)
