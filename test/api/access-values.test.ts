import { beforeAll, describe, expect, test } from 'vitest'
import type { Agent, Envelope } from '../support/agent.ts'
import { DECLARED, type DeclaredField } from '../support/declared-fields.ts'
import { describeHost } from '../support/hosts.ts'
import { PIXEL } from '../support/pixel.ts'
import { eachNth } from '../support/soak.ts'
import {
  complaints,
  openTwoCompanies,
  type RawRow,
  ROLES,
  rawRows,
  type Scene,
  twoCompanies,
} from '../support/two-companies.ts'

const MODELS = [...DECLARED.keys()].sort()
const READ_ONLY = ['sys.model', 'sys.field', 'sys.module', 'sys.xmlid', 'sys.log', 'sys.cron.run', 'sys.audit']
const WRITABLE = MODELS.filter((model) => !READ_ONLY.includes(model))

const codeOf = ({ ok, error }: Envelope) => (ok ? 'OK' : error!.code)

/** Something of the field's own kind, so that it can only be refused because the field is fixed. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ char: 'x', text: 'x', html: 'x', selection: 'x', reference: 'core.user,1', binary: 'AAAA', image: PIXEL.png },
  ...{
    integer: 7,
    float: 7,
    monetary: 7,
    boolean: true,
    json: {},
    date: '2026-01-31',
    datetime: '2026-01-31T12:00:00Z',
  },
  ...{ many2one: 1, one2many: [1], many2many: [1] },
}

describeHost('values from the wire', { kind: 'process', template: twoCompanies }, (host) => {
  let scene: Scene
  /** May do everything that anybody may. */
  let admin: Agent
  beforeAll(async () => {
    scene = await openTwoCompanies(host)
    admin = await host.signIn('admin')
  })

  const first = async (model: string, where: (row: RawRow) => boolean = () => true) =>
    (await rawRows(host, model)).find(where)!

  describe('for a field that is kept by the system, read-only or computed', () => {
    const fixed = WRITABLE.flatMap((model) => [...DECLARED.get(model)!.values()].filter((field) => field.fixed))

    /** A usual run tries every third, so that every model and every system field has its turn; a soak tries all. */
    const tried = eachNth(fixed, 3)

    const isRefused = ({ error }: Envelope, name: string) =>
      error?.code === 'VALIDATION' && name in (error.details['fields'] as object)

    test('are VALIDATION, and leave the record as it was', async () => {
      expect(fixed.length).toBeGreaterThan(200)
      const found = await complaints(tried, async ({ model, name, type }) => {
        const values = { [name]: VALUES[type] }
        const before = await rawRows(host, model)
        const id = before[0]?.id ?? 1
        const answers = [
          await admin.rpc(model, 'create', [values]),
          await admin.rpc(model, 'create_many', [[{}, values]]),
          await admin.rpc(model, 'write', [[id], values]),
          await admin.rpc(model, 'write', [[id], values], { base_version: { [id]: 1 } }),
          await admin.rpc(model, 'write_many', [[id], values]),
        ]
        // Nobody may create a key this way, whatever the values.
        const wrong = answers.filter((answer) => !isRefused(answer, name) && codeOf(answer) !== 'ACCESS_DENIED')
        const isSame = JSON.stringify(await rawRows(host, model)) === JSON.stringify(before)
        return wrong.length === 0 && isSame ? undefined : { model, name, isSame, wrong }
      })
      expect(found).toEqual([])
    })

    test('are VALIDATION inside commands, too', async () => {
      const isLink = ({ type, fixed, target }: DeclaredField) =>
        !fixed && (type === 'one2many' || type === 'many2many') && WRITABLE.includes(target!)
      const links = WRITABLE.flatMap((model) => [...DECLARED.get(model)!.values()].filter(isLink))
      const found = await complaints(links, async ({ model, name, target }) => {
        const id = (await rawRows(host, model))[0]?.id ?? 1
        for (const field of tried.filter((candidate) => candidate.model === target)) {
          for (const command of [
            [0, 0, { [field.name]: VALUES[field.type] }],
            [1, 1, { [field.name]: VALUES[field.type] }],
          ]) {
            const answer = await admin.rpc(model, 'write', [[id], { [name]: [command] }])
            if (!isRefused(answer, field.name)) return { model, name, field: field.name, answer }
          }
        }
        return undefined
      })
      expect(found).toEqual([])
    })

    test('pass where a computed field has an inverse', async () => {
      const book = await first('library.book')
      expect(codeOf(await admin.rpc('library.book', 'write', [[book.id], { price_with_tax: 10.7 }]))).toBe('OK')
      expect((await first('library.book', (row) => row.id === book.id))['price']).toBe(10)
    })
  })

  describe('that would make more of a user', () => {
    const POWERLESS = ROLES.filter((role) => role !== 'administrator')

    test.each(POWERLESS)('are refused to the %s, about themselves and about others', async (role) => {
      const { agent, id } = scene.players[role]
      const other = scene.players[role === 'colleague' ? 'reader' : 'colleague'].id
      const group = (await first('core.group', (row) => row['name'] === 'Administrator')).id
      const [own, foreign] = scene.companies
      const users = await rawRows(host, 'core.user')
      const claims: readonly Readonly<Record<string, unknown>>[] = [
        { group_ids: [group] },
        { group_ids: [[4, group]] },
        { group_ids: [[0, 0, { name: 'Mine' }]] },
        { company_ids: [own, foreign] },
        { company_id: role === 'outsider' ? own : foreign },
        { login: 'root' },
        { name: 'Root' },
        { active: false },
        { password: 'correct horse battery' },
        { partner_id: 1 },
        { action_id: 1 },
        { api_key_ids: [[0, 0, { name: 'mine' }]] },
        { email: 'me@example.com', group_ids: [group] },
      ]
      for (const values of claims) {
        for (const subject of [id, other]) {
          expect([values, codeOf(await agent.rpc('core.user', 'write', [[subject], values]))]).toEqual([
            values,
            'ACCESS_DENIED',
          ])
        }
        expect(codeOf(await agent.rpc('core.user', 'create', [{ name: 'New', login: 'new', ...values }]))).toBe(
          'ACCESS_DENIED',
        )
      }
      const attempts: readonly (readonly [string, string, readonly unknown[]])[] = [
        ['core.user', 'write', [[other], { email: 'you@example.com' }]],
        ['core.user', 'unlink', [[other]]],
        ['core.group', 'write', [[group], { user_ids: [[4, id]] }]],
        ['core.group', 'create', [{ name: 'Mine', user_ids: [id], implied_ids: [group] }]],
        ['core.company', 'write', [[own], { user_ids: [[4, id]] }]],
        ['sys.access', 'create', [{ name: 'mine', model: 'core.group', perm_write: true }]],
        ['sys.rule', 'create', [{ name: 'mine', model: 'core.user', domain: '[]' }]],
        ['core.api.key', 'create', [{ name: 'mine', user_id: other }]],
      ]
      for (const [model, method, args] of attempts) {
        expect([model, codeOf(await agent.rpc(model, method, args))]).toEqual([model, 'ACCESS_DENIED'])
      }
      expect(await rawRows(host, 'core.user')).toEqual(users)
    })

    test('are accepted for what users may change about themselves', async () => {
      const { agent, id } = scene.players.colleague
      const values = {
        email: 'colleague@example.com',
        lang: 'de',
        tz: 'Europe/Berlin',
        signature: '<p>c</p>',
        pinned_apps: ['base'],
      }
      expect(await agent.rpc('core.user', 'write', [[id], values])).toMatchObject({ ok: true })
      expect(await first('core.user', (row) => row.id === id)).toMatchObject(values)
    })

    test('leave the key of another user unchanged', async () => {
      const { agent } = scene.players.colleague
      const keys = await rawRows(host, 'core.api.key')
      const foreign = keys.find((row) => row['user_id'] !== scene.players.colleague.id)!
      expect(codeOf(await agent.rpc('core.api.key', 'write', [[foreign.id], { active: false }]))).toBe('ACCESS_DENIED')
      expect(codeOf(await agent.rpc('core.api.key', 'call', [foreign.id, 'action_revoke']))).toBe('ACCESS_DENIED')
      expect(codeOf(await admin.rpc('core.api.key', 'create', [{ name: 'k', user_id: 1 }]))).toBe('ACCESS_DENIED')
      expect(await rawRows(host, 'core.api.key')).toEqual(keys)
    })
  })

  describe('of the system’s own models', () => {
    test.each(READ_ONLY)('cannot be written by any user: %s', async (model) => {
      const before = await rawRows(host, model)
      const id = before[0]?.id ?? 1
      for (const role of ROLES) {
        const { agent } = scene.players[role]
        for (const [method, args] of [
          ['create', [{ name: 'x' }]],
          ['create_many', [[{ name: 'x' }]]],
          ['write', [[id], { name: 'x' }]],
          ['write_many', [[id], {}]],
          ['unlink', [[id]]],
          ['unlink_many', [[id]]],
          ['call', [id, 'action_run_now']],
        ] as const) {
          expect([method, codeOf(await agent.rpc(model, method, args))]).toEqual([method, 'ACCESS_DENIED'])
        }
      }
      expect(await rawRows(host, model)).toEqual(before)
    })

    test.each([
      [{ handler: 'process.exit' }],
      [{ handler: 'base.no_such_job' }],
      [{ handler: 'constructor' }],
      [{ handler: null, model: 'core.user', action: 'constructor' }],
      [{ handler: null, model: 'core.user', action: 'write' }],
      [{ handler: null, model: 'pg_authid', action: 'action_run_now' }],
    ])('name only jobs and actions that exist: %j', async (values) => {
      const cron = await first('sys.cron')
      expect(codeOf(await admin.rpc('sys.cron', 'write', [[cron.id], values]))).toBe('VALIDATION')
      expect(await first('sys.cron', (row) => row.id === cron.id)).toEqual(cron)
    })

    test('cannot redirect an import', async () => {
      const { agent, id } = scene.players.colleague
      const batch = await first('sys.bulk.import', (row) => row['user_id'] === id)
      for (const values of [
        { next: '//evil' },
        { state: 'running' },
        { model: 'core.user' },
        { file: 'AAAA' },
        { user_id: 1 },
      ]) {
        expect(codeOf(await agent.rpc('sys.bulk.import', 'write', [[batch.id], values]))).toBe('VALIDATION')
      }
      expect(await first('sys.bulk.import', (row) => row.id === batch.id)).toEqual(batch)
    })
  })

  describe('that would move a record', () => {
    const COMPANIED = ['core.partner', 'library.book', 'library.loan']

    test.each(COMPANIED)('of %s to a company of others are ACCESS_DENIED', async (model) => {
      const { agent, id } = scene.players.librarian
      const [own, foreign] = scene.companies
      const isOwn = (row: RawRow) => row['company_id'] === own && (model !== 'library.loan' || row['user_id'] === id)
      const before = await first(model, isOwn)
      for (const kwargs of [{}, { base_version: { [before.id]: before['version'] } }]) {
        expect(codeOf(await agent.rpc(model, 'write', [[before.id], { company_id: foreign }], kwargs))).toBe(
          'ACCESS_DENIED',
        )
      }
      expect(
        codeOf(await agent.rpc(model, 'onchange', [{ company_id: foreign }, ['company_id']], { id: before.id })),
      ).toBe('ACCESS_DENIED')
      expect(await first(model, (row) => row.id === before.id)).toEqual(before)
      const count = (await rawRows(host, model)).length
      const { author_id, currency_id, borrower_id } = before
      const needed = Object.fromEntries(
        Object.entries({ author_id, currency_id, borrower_id }).filter(([, value]) => value !== undefined),
      )
      const values = {
        ...needed,
        ...(model === 'library.book' && { title: 'x' }),
        ...(model === 'core.partner' && { name: 'x' }),
        company_id: foreign,
      }
      expect(codeOf(await agent.rpc(model, 'create', [values]))).toBe('ACCESS_DENIED')
      expect(codeOf(await agent.rpc(model, 'create_many', [[{ ...values, company_id: own }, values]]))).toBe(
        'ACCESS_DENIED',
      )
      expect(await rawRows(host, model)).toHaveLength(count)
    })

    test('to a user who could not write it are ACCESS_DENIED', async () => {
      const { librarian, reader, outsider } = scene.players
      const [own, foreign] = scene.companies
      const isForeign = (row: RawRow) => row['company_id'] === foreign
      const thefts = [
        {
          thief: reader,
          model: 'library.loan',
          where: (row: RawRow) => row['user_id'] === librarian.id && row['company_id'] === own,
          values: { user_id: reader.id },
        },
        {
          thief: librarian,
          model: 'library.shelf',
          where: (row: RawRow) => row['keeper_id'] === outsider.id,
          values: { keeper_id: librarian.id },
        },
        {
          thief: librarian,
          model: 'library.shelf',
          where: (row: RawRow) => row['keeper_id'] === outsider.id,
          values: { keeper_id: null },
        },
        {
          thief: reader,
          model: 'sys.filter',
          where: (row: RawRow) => row['user_id'] === librarian.id,
          values: { user_id: reader.id },
        },
        ...['core.partner', 'library.book', 'library.loan'].flatMap((model) =>
          [own, null].map((company_id) => ({ thief: librarian, model, where: isForeign, values: { company_id } })),
        ),
      ]
      for (const { thief, model, where, values } of thefts) {
        const before = await first(model, where)
        for (const method of ['write', 'write_many']) {
          for (const kwargs of [{}, { base_version: { [before.id]: before['version'] } }]) {
            const answer = await thief.agent.rpc(model, method, [[before.id], values], kwargs)
            expect([model, values, codeOf(answer)]).toEqual([model, values, 'ACCESS_DENIED'])
          }
        }
        expect(await first(model, (row) => row.id === before.id)).toEqual(before)
      }
    })

    test('name a model that the user may not read as one that does not exist', async () => {
      const { agent } = scene.players.reader
      for (const [saved, more] of [
        ['sys.filter', { sort: 'name' }],
        ['sys.filter', { sort: 'no_field' }],
        ['sys.export.set', { columns: ['name'] }],
        ['sys.export.set', { columns: ['no_field'] }],
      ] as const) {
        const create = async (model: string) =>
          JSON.stringify(await agent.rpc(saved, 'create', [{ name: 'x', model, ...more }])).replaceAll(model, '…')
        expect(await create('sys.rule')).toBe(await create('no.model'))
      }
    })

    test('away from its owner are ACCESS_DENIED', async () => {
      const { agent, id } = scene.players.reader
      const loan = await first(
        'library.loan',
        (row) => row['user_id'] === id && row['company_id'] === scene.companies[0],
      )
      const filter = await first('sys.filter', (row) => row['user_id'] === id)
      for (const user_id of [scene.players.librarian.id, null]) {
        expect(codeOf(await agent.rpc('library.loan', 'write', [[loan.id], { user_id }]))).toBe('ACCESS_DENIED')
        expect(codeOf(await agent.rpc('library.loan', 'create', [{ borrower_id: loan['borrower_id'], user_id }]))).toBe(
          'ACCESS_DENIED',
        )
        expect(codeOf(await agent.rpc('sys.filter', 'write', [[filter.id], { user_id }]))).toBe('ACCESS_DENIED')
        expect(codeOf(await agent.rpc('sys.filter', 'create', [{ name: 'x', model: 'core.user', user_id }]))).toBe(
          'ACCESS_DENIED',
        )
      }
      expect(await first('library.loan', (row) => row.id === loan.id)).toEqual(loan)
      expect(await first('sys.filter', (row) => row.id === filter.id)).toEqual(filter)
    })
  })

  describe('of an action', () => {
    test('run it on its own model only', async () => {
      const partner = await first('core.partner', (row) => row['company_id'] === null)
      for (const action of [
        'action_revoke',
        'action_run_now',
        'action_return',
        'constructor',
        '__proto__',
        'toString',
        'write',
        '',
      ]) {
        expect(codeOf(await admin.rpc('core.partner', 'call', [partner.id, action]))).toBe('NOT_FOUND')
      }
    })

    test('give no access through active_ids to a record that the caller cannot read', async () => {
      const { agent } = scene.players.librarian
      const [own, foreign] = scene.companies
      const mine = await first('library.book', (row) => row['company_id'] === own)
      const theirs = await first('library.book', (row) => row['company_id'] === foreign)
      const books = await rawRows(host, 'library.book')
      const run = (active_ids: unknown, id = mine.id) =>
        agent.rpc('library.book', 'call', [id, 'action_make_available', { active_ids }])
      expect(codeOf(await run(`${mine.id},${theirs.id}`))).toBe('ACCESS_DENIED')
      expect(codeOf(await run(`${theirs.id}`))).toBe('ACCESS_DENIED')
      expect(codeOf(await run(`${mine.id}`, theirs.id))).toBe('ACCESS_DENIED')
      expect(codeOf(await run(`${mine.id},2000000000`))).toBe('NOT_FOUND')
      for (const text of ['x', '1;2', '1,,2', '-1', '1.5', '1e99', '0', ',', ' ', `${'1,'.repeat(2000)}1`]) {
        expect([text, codeOf(await run(text))]).toEqual([text, 'BAD_REQUEST'])
      }
      for (const value of [1, null, [1], { 0: '1' }, true]) expect(codeOf(await run(value))).toBe('BAD_REQUEST')
      expect(await rawRows(host, 'library.book')).toEqual(books)
    })

    test('run it with the rights of the caller', async () => {
      const { agent } = scene.players.reader
      const book = await first('library.book', (row) => row['company_id'] === scene.companies[0])
      expect(codeOf(await agent.rpc('library.book', 'call', [book.id, 'action_mark_lost']))).toBe('ACCESS_DENIED')
      expect(await first('library.book', (row) => row.id === book.id)).toEqual(book)
    })
  })
})
