import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const DENIED = { ok: false, error: { code: 'ACCESS_DENIED' } }

const invalid = (field: string) => ({
  ok: false,
  error: { code: 'VALIDATION', details: { fields: { [field]: expect.any(String) } } },
})

const TILE = { name: 'Books', view_type: 'graph', model: 'library.book', x: 0, y: 0, w: 4, h: 4 }

describeHost('dashboards', 'process', (host) => {
  let admin: Agent
  let demo: Agent
  let guest: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
    guest = await host.signIn('guest')
  })

  const create = (agent: Agent, values: object) => agent.must<number>('sys.dashboard', 'create', [values])
  const names = async (agent: Agent, model: string) =>
    (await agent.must<{ name: string }[]>(model, 'search_read', [[], ['name']])).map(({ name }) => name)

  describe('a dashboard of one user', () => {
    let id: number
    let tile: number
    beforeAll(async () => {
      id = await create(demo, { name: 'Mine', tile_ids: [[0, 0, { ...TILE, name: 'My tile' }]] })
      const [found] = await demo.must<{ id: number }[]>('sys.dashboard.tile', 'search_read', [
        [['dashboard_id', '=', id]],
        ['id'],
      ])
      tile = found!.id
    })

    test('is invisible to others, administrators included, with its tiles', async () => {
      for (const other of [admin, guest]) {
        expect(await names(other, 'sys.dashboard')).not.toContain('Mine')
        expect(await names(other, 'sys.dashboard.tile')).not.toContain('My tile')
        expect(await other.rpc('sys.dashboard', 'read', [[id], ['name']])).toMatchObject({ ok: false })
        expect((await other.get(`/web/wc/workspace?model=sys.dashboard&view_type=form&id=${id}`)).status).not.toBe(200)
      }
    })

    test('cannot be changed by other users, nor take tiles from them', async () => {
      for (const other of [admin, guest]) {
        expect(await other.rpc('sys.dashboard', 'write', [[id], { name: 'Stolen' }])).toMatchObject({ ok: false })
        expect(await other.rpc('sys.dashboard.tile', 'write', [[tile], { x: 3 }])).toMatchObject({ ok: false })
        expect(await other.rpc('sys.dashboard.tile', 'create', [{ ...TILE, dashboard_id: id }])).toMatchObject({
          ok: false,
        })
      }
      const own = await create(guest, { name: 'Of the guest' })
      expect(await guest.rpc('sys.dashboard.tile', 'write', [[tile], { dashboard_id: own }])).toMatchObject({
        ok: false,
      })
      expect(await guest.rpc('sys.dashboard', 'write', [[own], { tile_ids: [[4, tile]] }])).toMatchObject({ ok: false })
    })

    test('cannot be given to another user', async () => {
      const [user] = await admin.must<{ id: number }[]>('core.user', 'search_read', [[['login', '=', 'admin']], ['id']])
      expect(await guest.rpc('sys.dashboard', 'create', [{ name: 'Yours', user_id: user!.id }])).toMatchObject(DENIED)
    })

    test('can be shared: others read it then, and only its owner and administrators change it', async () => {
      const shared = await create(demo, { name: 'Ours', is_shared: true, tile_ids: [[0, 0, TILE]] })
      expect(await names(guest, 'sys.dashboard')).toContain('Ours')
      expect(await guest.rpc('sys.dashboard', 'write', [[shared], { name: 'Stolen' }])).toMatchObject(DENIED)
      expect(await guest.rpc('sys.dashboard', 'unlink', [[shared]])).toMatchObject(DENIED)
      expect(await admin.rpc('sys.dashboard', 'write', [[shared], { name: 'Ours, tidied' }])).toMatchObject({
        ok: true,
      })
      expect(await demo.rpc('sys.dashboard', 'write', [[shared], { is_shared: false }])).toMatchObject({ ok: true })
      expect(await names(guest, 'sys.dashboard')).not.toContain('Ours, tidied')
    })
  })

  test('a tile gives no access to what it shows: that is asked for with the rights of the viewer', async () => {
    const shared = await create(admin, {
      name: 'With jobs',
      is_shared: true,
      tile_ids: [[0, 0, { ...TILE, name: 'Jobs', model: 'sys.cron', view_type: 'list' }]],
    })
    const [tile] = await guest.must<{ model: string }[]>('sys.dashboard.tile', 'search_read', [
      [['dashboard_id', '=', shared]],
      ['model'],
    ])
    expect(tile).toMatchObject({ model: 'sys.cron' })
    expect((await guest.get('/web/wc/workspace?model=sys.cron&view_type=list')).status).toBe(403)
    expect(await guest.rpc('sys.cron', 'read_group', [{}])).toMatchObject(DENIED)
  })

  describe('a tile', () => {
    let id: number
    beforeAll(async () => {
      id = await create(demo, { name: 'Tiles' })
    })
    const attempt = (values: object) =>
      demo.rpc('sys.dashboard.tile', 'create', [{ ...TILE, dashboard_id: id, ...values }])

    test.each([
      ['a column before the first', { x: -1 }, 'x'],
      ['more columns than there are', { w: 13 }, 'x'],
      ['an end beyond the last column', { x: 9, w: 4 }, 'x'],
      ['no width', { w: 0 }, 'x'],
      ['no height', { h: 0 }, 'y'],
      ['a height beyond any screen', { h: 13 }, 'y'],
      ['a row beyond any scrolling', { y: 401 }, 'y'],
      ['a number that no column can hold', { x: 2 ** 40 }, 'x'],
      ['text as a place', { x: 'left' }, 'x'],
      ['an unknown kind', { view_type: 'hologram' }, 'view_type'],
      ['a form', { view_type: 'form' }, 'view_type'],
      ['an unknown model', { model: 'library.secret' }, 'model'],
      ['a domain that is no list', { domain: { a: 1 } }, 'domain'],
      ['a domain over an unknown field', { domain: [['salary', '>', 1]] }, 'domain'],
      ['a domain with too few operands', { domain: ['|', ['title', '=', 'x']] }, 'domain'],
      ['a domain that is too long', { domain: [['title', '=', 'x'.repeat(4_000)]] }, 'domain'],
      ['state that is too long', { context: { search: { q: 'x'.repeat(4_000) } } }, 'context'],
      ['a context of another shape', { context: [1] }, 'context'],
      ['state that is no text', { context: { search: { measure: 7 } } }, 'context'],
      ['a context with more than the state', { context: { search: {}, default_state: 'done' } }, 'context'],
      ['a misspelt measure', { context: { search: { measure: 'pagess' } } }, 'context'],
      ['a measure that adds up nothing', { context: { search: { measure: 'title' } } }, 'context'],
      ['an unknown kind of measure', { context: { search: { measures: '__count,pages:median' } } }, 'context'],
      ['a misspelt group', { context: { search: { group: 'titel' } } }, 'context'],
      ['columns by an unknown field', { context: { search: { cols: 'title,nothing:month' } } }, 'context'],
      ['an interval of what is no date', { context: { search: { group: 'title:month' } } }, 'context'],
      ['an order that is no field', { sort: '(select 1)' }, 'sort'],
      ['an order by an unknown field', { sort: '-salary' }, 'sort'],
      ['an order by a field that cannot be sorted', { sort: 'co_author_ids' }, 'sort'],
      ['a period over a field that is no date', { date_field: 'title' }, 'date_field'],
      ['a period over an unknown field', { date_field: 'nothing' }, 'date_field'],
    ])('is refused with %s', async (_what, values, field) => {
      expect(await attempt(values)).toMatchObject({
        ok: false,
        error: { code: expect.stringMatching(/^(VALIDATION|BAD_REQUEST)$/) },
      })
      const answer = await attempt(values)
      if (answer.error?.code === 'VALIDATION') expect(answer).toMatchObject(invalid(field))
    })

    test('does not reveal existing models and fields to a user without rights', async () => {
      const own = await create(guest, { name: 'Curious' })
      const told = async (values: object) => {
        const { error } = await guest.rpc('sys.dashboard.tile', 'create', [{ ...TILE, dashboard_id: own, ...values }])
        return JSON.stringify(error).replaceAll(/(library|made)\.\w+/g, '?')
      }
      const unknown = await told({ model: 'made.up' })
      expect(unknown).toContain('"code":"VALIDATION"')
      for (const values of [
        {},
        { domain: [['title', '=', 'x']] },
        { domain: [['nothing', '=', 'x']] },
        { sort: 'nothing' },
        { sort: 'title' },
        { date_field: 'nothing' },
      ])
        expect(await told(values), JSON.stringify(values)).toBe(unknown)
      // Of two in one call, neither makes the other valid.
      const two = [{}, {}].map(() => ({ ...TILE, dashboard_id: own }))
      expect(await guest.rpc('sys.dashboard.tile', 'create_many', [two])).toMatchObject(invalid('model'))
    })

    test('names no field of a group that its author is not in', async () => {
      for (const values of [
        { domain: [['purchase_price', '>', 5]] },
        { domain: ['|', ['title', '=', 'x'], ['purchase_price', '=', null]] },
        { sort: '-purchase_price' },
        { date_field: 'purchase_price' },
        { context: { search: { measure: 'purchase_price' } } },
        { context: { search: { group: 'title,purchase_price' } } },
      ])
        expect(await attempt(values), JSON.stringify(values)).toMatchObject({
          error: { code: 'ACCESS_DENIED', details: { reason: 'field_access' } },
        })
    })

    test('says which field of its state there is not', async () => {
      for (const search of [{ measure: 'pagess' }, { group: 'title,pagess' }, { cols: 'pagess' }]) {
        const { error } = await attempt({ context: { search } })
        expect(JSON.stringify(error)).toContain('by pagess.')
      }
    })

    test('may repeat a tile that its author sees, so that shared dashboards can be copied', async () => {
      const jobs = { ...TILE, model: 'sys.cron', view_type: 'list', domain: [['name', '=', 'x']] }
      const search = { stacked: '1', measure: 'purchase_price', group: 'title' }
      const dear = { ...TILE, domain: [['purchase_price', '>', 5]], sort: '-purchase_price', context: { search } }
      const tile_ids = [jobs, dear].map((tile) => [0, 0, tile])
      for (const agent of [demo, guest])
        expect(await agent.rpc('sys.dashboard', 'create', [{ name: 'Copy', tile_ids }])).toMatchObject({ ok: false })
      await create(admin, { name: 'For all', is_shared: true, tile_ids })
      for (const agent of [demo, guest]) {
        expect(await agent.rpc('sys.dashboard', 'create', [{ name: 'Copy', tile_ids }])).toMatchObject({ ok: true })
        const other = [[0, 0, { ...jobs, domain: [['name', '=', 'y']] }]]
        expect(await agent.rpc('sys.dashboard', 'create', [{ name: 'Own', tile_ids: other }])).toMatchObject(
          invalid('model'),
        )
      }
    })

    test('is taken with everything it needs, and moves inside the grid', async () => {
      const { result } = await attempt({
        view_type: 'figure',
        domain: [['title', 'ilike', 'a']],
        context: { search: {} },
        sort: '-title',
      })
      expect(await demo.rpc('sys.dashboard.tile', 'write', [[result], { x: 8, y: 3, w: 4, h: 2 }])).toMatchObject({
        ok: true,
      })
      expect(await demo.rpc('sys.dashboard.tile', 'write', [[result], { x: 9 }])).toMatchObject(invalid('x'))
    })

    test(`is one of at most ${LIMITS.tiles}`, async () => {
      const own = await create(demo, { name: 'Full' })
      const tiles = Array.from({ length: LIMITS.tiles }, (_, y) => [0, 0, { ...TILE, y }])
      expect(await demo.rpc('sys.dashboard', 'write', [[own], { tile_ids: tiles }])).toMatchObject({ ok: true })
      expect(await demo.rpc('sys.dashboard.tile', 'create', [{ ...TILE, dashboard_id: own }])).toMatchObject(
        invalid('dashboard_id'),
      )
      const { result: moving } = await attempt({})
      const refused = invalid('dashboard_id')
      expect(await demo.rpc('sys.dashboard.tile', 'write', [[moving], { dashboard_id: own }])).toMatchObject(refused)
      expect(await demo.rpc('sys.dashboard', 'write', [[own], { tile_ids: [[4, moving]] }])).toMatchObject(refused)
      const [read] = await demo.must<{ tile_ids: number[] }[]>('sys.dashboard', 'read', [[own], ['tile_ids']])
      expect(read!.tile_ids).toHaveLength(LIMITS.tiles)
    })
  })

  test('a dashboard shared by a user comes after the own ones of other users and those of addons', async () => {
    const refused = invalid('sequence')
    for (const sequence of [-2_147_483_647, -1, 10_000, null])
      expect(await demo.rpc('sys.dashboard', 'create', [{ name: 'Odd', sequence }])).toMatchObject(refused)
    const id = await create(demo, { name: 'AAA', sequence: 0 })
    expect(await demo.rpc('sys.dashboard', 'write', [[id], { is_shared: true }])).toMatchObject(refused)
    expect(await demo.rpc('sys.dashboard', 'write', [[id], { is_shared: true, sequence: 50 }])).toMatchObject({
      ok: true,
    })
    expect(await demo.rpc('sys.dashboard', 'write', [[id], { sequence: 49 }])).toMatchObject(refused)
    await create(guest, { name: 'ZZZ' })
    const seen = await names(guest, 'sys.dashboard')
    expect(seen.indexOf('ZZZ')).toBeLessThan(seen.indexOf('AAA'))
    await demo.must('sys.dashboard', 'unlink', [[id]])
  })

  test('a dashboard without an owner is visible to all users', async () => {
    expect(await admin.rpc('sys.dashboard', 'create', [{ name: 'Nobody', user_id: null }])).toMatchObject({ ok: false })
    expect(await admin.rpc('sys.dashboard', 'create', [{ name: 'All', user_id: null, is_shared: true }])).toMatchObject(
      {
        ok: true,
      },
    )
    expect(await guest.rpc('sys.dashboard', 'create', [{ name: 'All', user_id: null, is_shared: true }])).toMatchObject(
      DENIED,
    )
  })

  test(`a user has at most ${LIMITS.dashboards}`, async () => {
    const had = (await names(guest, 'sys.dashboard')).length
    const many = Array.from({ length: LIMITS.dashboards + had }, (_, i) => ({ name: `D${i}` }))
    expect(await guest.rpc('sys.dashboard', 'create_many', [many])).toMatchObject(invalid('user_id'))
  })

  test('a key for dashboards cannot read tiles, and a key for tiles not their content', async () => {
    const id = await create(demo, { name: 'Scoped', tile_ids: [[0, 0, TILE]] })
    const narrow = await host.apiKey('demo', {
      scope: { models: { 'sys.dashboard': ['read', 'search_read', 'write'] } },
    })
    expect(await narrow.rpc('sys.dashboard', 'write', [[id], { tile_ids: [[0, 0, TILE]] }])).toMatchObject(DENIED)
    expect(await narrow.rpc('sys.dashboard.tile', 'search_read', [[], ['name']])).toMatchObject(DENIED)
    const tiles = await host.apiKey('demo', { scope: { models: { 'sys.dashboard.tile': ['search_read'] } } })
    expect(await tiles.rpc('sys.dashboard.tile', 'search_read', [[], ['name']])).toMatchObject({ ok: true })
    expect(await tiles.rpc('library.book', 'read_group', [{}])).toMatchObject(DENIED)
  })
})
