import { beforeAll, describe, expect, test } from 'vitest'
import type { Agent, Envelope } from '../support/agent.ts'
import { mayUse, type Operation, type Person } from '../support/declared-access.ts'
import { DECLARED, type DeclaredField, fieldOf, isHidden, mayFollow, pathsFrom } from '../support/declared-fields.ts'
import { describeHost } from '../support/hosts.ts'
import { randomOf, sample } from '../support/seeded-random.ts'
import { eachNth, repeats } from '../support/soak.ts'
import {
  complaints,
  openTwoCompanies,
  type Player,
  ROLES,
  type Role,
  rawRows,
  SCENE_LINES,
  type Scene,
  twoCompanies,
} from '../support/two-companies.ts'

const MODELS = [...DECLARED.keys()].sort()

/** Models that RPC serves for reading only. */
const READ_ONLY = new Set(['sys.model', 'sys.field', 'sys.module', 'sys.xmlid', 'sys.log', 'sys.cron.run', 'sys.audit'])

interface Method {
  readonly args: readonly unknown[]
  readonly needs: readonly Operation[]
  readonly changes: boolean
  /** What a caller with the right gets for these arguments, which change nothing. */
  readonly allowed: string
}

const METHODS: Readonly<Record<string, Method>> = {
  search: { args: [[]], needs: ['read'], changes: false, allowed: 'OK' },
  search_read: { args: [[], ['id']], needs: ['read'], changes: false, allowed: 'OK' },
  read: { args: [[]], needs: ['read'], changes: false, allowed: 'OK' },
  read_group: { args: [{}], needs: ['read'], changes: false, allowed: 'OK' },
  onchange: { args: [{}, []], needs: ['read', 'create'], changes: false, allowed: 'OK' },
  call: { args: [1, 'no_such_action'], needs: ['read'], changes: true, allowed: 'NOT_FOUND' },
  create: { args: [{ no_such_field: 1 }], needs: ['create'], changes: true, allowed: 'VALIDATION' },
  create_many: { args: [[]], needs: ['create'], changes: true, allowed: 'OK' },
  write: { args: [[], {}], needs: ['write'], changes: true, allowed: 'OK' },
  write_many: { args: [[], {}], needs: ['write'], changes: true, allowed: 'OK' },
  unlink: { args: [[]], needs: ['unlink'], changes: true, allowed: 'OK' },
  unlink_many: { args: [[]], needs: ['unlink'], changes: true, allowed: 'OK' },
}

const codeOf = ({ ok, error }: Envelope) => (ok ? 'OK' : error!.code)

const may = (person: Person, model: string, operation: Operation) => mayUse(person, model, operation, SCENE_LINES)

describeHost('access to models and fields', { kind: 'process', template: twoCompanies }, (host) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openTwoCompanies(host)
  })

  const call = (agent: Agent, model: string, method: string, args: readonly unknown[], kwargs = {}) =>
    agent.rpc(model, method, args, kwargs)

  test('the registry holds the models that the addons declare, and no others', async () => {
    const { registry } = await host.modules.holder.latest()
    expect([...registry.models.keys()].sort()).toEqual(MODELS)
    for (const model of MODELS) {
      expect([...registry.model(model)!.fields.keys()].sort()).toEqual([...DECLARED.get(model)!.keys()].sort())
    }
  })

  /**
   * A usual run asks each caller every fifth pair, another fifth than the caller before, so that all pairs are asked and each caller uses
   * every method; a soak asks every caller all of them.
   */
  describe('model × method', () => {
    const PAIRS = MODELS.flatMap((model) => Object.keys(METHODS).map((method) => ({ model, method })))
    let callers = 0

    const verdict = (person: Person, model: string, method: string): string => {
      const { needs, changes, allowed } = METHODS[method]!
      if (changes && READ_ONLY.has(model)) return 'ACCESS_DENIED'
      return needs.every((operation) => may(person, model, operation)) ? allowed : 'ACCESS_DENIED'
    }

    const disagreements = (agent: Agent, expected: (model: string, method: string) => string) =>
      complaints(eachNth(PAIRS, 5, callers++ % 5), async ({ model, method }) => {
        const answer = await call(agent, model, method, METHODS[method]!.args, method === 'search' ? { limit: 1 } : {})
        const wanted = expected(model, method)
        return codeOf(answer) === wanted ? undefined : { model, method, wanted, got: answer.error ?? 'OK' }
      })

    test.each(ROLES)('answers the %s as the access lines say', async (role) => {
      const player = scene.players[role]
      expect(await disagreements(player.agent, (model, method) => verdict(player, model, method))).toEqual([])
    })

    test('answers a key that may only read like its owner where it reads, and refuses the rest', async () => {
      const owner = scene.players.librarian
      const key = await host.apiKey('librarian', { scope: { read_only: true } })
      const expected = (model: string, method: string) =>
        METHODS[method]!.changes ? 'ACCESS_DENIED' : verdict(owner, model, method)
      expect(await disagreements(key, expected)).toEqual([])
    })

    test('answers a key with a scope of models within that scope only', async () => {
      const owner = scene.players.librarian
      const models: Readonly<Record<string, readonly string[]>> = {
        'library.book': ['search_read', 'write'],
        'library.author': ['*'],
        'core.user': [],
        '*': ['search'],
      }
      const key = await host.apiKey('librarian', { scope: { models } })
      const expected = (model: string, method: string) => {
        const methods = models[model] ?? models['*']!
        const covered = methods.includes('*') || methods.includes(method)
        return covered ? verdict(owner, model, method) : 'ACCESS_DENIED'
      }
      expect(await disagreements(key, expected)).toEqual([])
    })

    test('never gives a key more rights than its owner', async () => {
      const key = await host.apiKey('stranger', { scope: { models: { '*': ['*'] } } })
      expect(await disagreements(key, () => 'ACCESS_DENIED')).toEqual([])
    })

    test('refuses calls without a credential', async () => {
      expect(await disagreements(host.anonymous(), () => 'UNAUTHORIZED')).toEqual([])
      expect(
        await disagreements(host.anonymous().with({ 'x-api-key': `sk_${'0'.repeat(49)}` }), () => 'UNAUTHORIZED'),
      ).toEqual([])
    })

    test('applies an access line without a group to internal users only', async () => {
      await host.modules.asSystem((env) =>
        env.model('sys.access').create({ name: 'everybody', model: 'sys.menu', perm_read: true }),
      )
      expect(codeOf(await call(scene.players.colleague.agent, 'sys.menu', 'search', []))).toBe('OK')
      expect(codeOf(await call(scene.players.stranger.agent, 'sys.menu', 'search', []))).toBe('ACCESS_DENIED')
      await host.modules.asSystem(async (env) => {
        await env.model('sys.access').unlink(await env.model('sys.access').search([['name', '=', 'everybody']]))
      })
    })
  })

  test('a method outside the allowlist is METHOD_NOT_ALLOWED', async () => {
    const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'get', 'size']
    const imagined = ['_read', 'READ', 'read ', 'create\n', 'unlink--', 'sudo', 'name_search', 'copy', '']
    for (const method of [...inherited, ...imagined]) {
      const answer = await scene.players.administrator.agent.send({ model: 'core.user', method, args: [[]] })
      expect(answer).toMatchObject({ status: 405, error: { code: 'METHOD_NOT_ALLOWED' } })
    }
  })

  describe('what is no model', () => {
    const NAMES = [
      ...['sys.session', 'sys.credential', 'sys.outbox', 'sys.idempotency', 'sys.revision', 'sys.param', 'sys.epoch'],
      ...['sys.migration', 'sys.api.key.secret', 'core_user', 'core.user.group.ids.rel', 'core_user_group_ids_rel'],
      ...['pg_authid', 'information_schema.tables', '__proto__', 'constructor', 'core.user ', 'CORE.USER', ''],
      'library.rated',
    ]
    test.each(NAMES)('%j is NOT_FOUND for every user, whatever the method', async (model) => {
      for (const [method, { args }] of Object.entries(METHODS)) {
        expect(codeOf(await call(scene.players.administrator.agent, model, method, args))).toBe('NOT_FOUND')
        expect(codeOf(await call(scene.players.stranger.agent, model, method, args))).toBe('NOT_FOUND')
      }
    })
  })

  describe('a field the caller may not read', () => {
    const hiddenFields = (person: Person): DeclaredField[] =>
      MODELS.flatMap((model) => [...DECLARED.get(model)!.values()]).filter((field) => isHidden(person, field))

    type Purpose = (field: DeclaredField) => readonly [method: string, args: readonly unknown[], kwargs?: object]

    const QUERIES: Readonly<Record<string, Purpose>> = {
      'a domain': ({ name }) => ['search_read', [[[name, '=', null]], ['id']]],
      'a negated domain': ({ name }) => ['search_read', [['!', [name, '=', null]], ['id']]],
      'a domain beside a truth': ({ name }) => ['search', [['|', ['id', '>', 0], [name, '!=', null]]]],
      'a domain that asks nothing': ({ name }) => ['search', [[[name, '=?', null]]]],
      'an order': ({ name }) => ['search', [[]], { order: name }],
      'the end of an order': ({ name }) => ['search_read', [[], ['id']], { order: `id desc, ${name} desc` }],
      'a grouping': ({ name }) => ['read_group', [{ groupby: [name] }]],
      'a measure': ({ name }) => ['read_group', [{ fields: [{ name: 'n', field: name, measure: 'count' }] }]],
      'a measure and its having': ({ name }) => [
        'read_group',
        [{ fields: [{ name: 'n', field: name, measure: 'count_distinct' }] }],
        { having: [['n', '>', 0]] },
      ],
      'the domain of a grouping': ({ name }) => ['read_group', [{ domain: [[name, '!=', null]] }]],
    }

    const VALUES: Readonly<Record<string, Purpose>> = {
      'values to create': ({ name }) => ['create', [{ [name]: null }]],
      'values to create many': ({ name }) => ['create_many', [[{ [name]: null }]]],
      'values to write': ({ name }) => ['write', [[1], { [name]: null }]],
      'values to write to many': ({ name }) => ['write_many', [[1], { [name]: null }]],
      'values to write over a version': ({ name }) => ['write', [[1], { [name]: null }], { base_version: { 1: 1 } }],
      'values of a form': ({ name }) => ['onchange', [{ [name]: null }, []]],
      'the edited field of a form': ({ name }) => ['onchange', [{}, name]],
      'values of the form of a record': ({ name }) => ['onchange', [{ [name]: null }, [name]], { id: 1 }],
    }

    const uses = (fields: readonly DeclaredField[], purposes: Readonly<Record<string, Purpose>>) =>
      fields.flatMap((field) => Object.entries(purposes).map(([as, purpose]) => ({ field, as, purpose })))

    const refusals = (agent: Agent, cases: ReturnType<typeof uses>, wanted: string) =>
      complaints(cases, async ({ field, as, purpose }) => {
        const [method, args, kwargs] = purpose(field)
        const answer = await call(agent, field.model, method, args, kwargs)
        return codeOf(answer) === wanted
          ? undefined
          : { field: `${field.model}.${field.name}`, as, got: answer.error ?? 'OK' }
      })

    test.each(ROLES)('is ACCESS_DENIED to the %s in every part of a query', async (role) => {
      const { agent, ...person } = scene.players[role]
      expect(await refusals(agent, uses(hiddenFields(person), QUERIES), 'ACCESS_DENIED')).toEqual([])
    })

    test.each(ROLES)('is ACCESS_DENIED to the %s in values', async (role) => {
      const { agent, ...person } = scene.players[role]
      const fields = hiddenFields(person).filter((field) =>
        isHidden(person, { ...field, secret: false, privateTo: [] }),
      )
      expect(await refusals(agent, uses(fields, VALUES), 'ACCESS_DENIED')).toEqual([])
    })

    test('is refused before any record is read', async () => {
      const { agent } = scene.players.reader
      for (const value of [null, 1, 10, 11, 12]) {
        host.database.statements.length = 0
        await call(agent, 'library.book', 'search', [[['purchase_price', '=', value]]])
        expect(host.database.statements).toHaveLength(1)
      }
    })

    test('is ACCESS_DENIED inside the commands of a record one may write', async () => {
      const { agent } = scene.players.cataloguer
      const find = async () =>
        (await rawRows(host, 'library.book')).find((row) => row['title'] === `Book 0 at ${scene.companies[0]}`)
      const book = await find()
      const author = Number(book!['author_id'])
      for (const values of [
        { book_ids: [[1, book!.id, { purchase_price: 1 }]] },
        { book_ids: [[0, 0, { title: 'New', purchase_price: 1 }]] },
        { co_book_ids: [[0, 0, { title: 'New', author_id: author, purchase_price: 1 }]] },
        { book_ids: [[1, book!.id, { co_author_ids: [[1, author, { book_ids: [[0, 0, { purchase_price: 1 }]] }]] }]] },
      ]) {
        expect(codeOf(await call(agent, 'library.author', 'write', [[author], values]))).toBe('ACCESS_DENIED')
        expect(codeOf(await call(agent, 'library.author', 'onchange', [values, []], { id: author }))).toBe(
          'ACCESS_DENIED',
        )
        expect(codeOf(await call(agent, 'library.author', 'create', [{ name: 'New', ...values }]))).toBe(
          'ACCESS_DENIED',
        )
      }
      expect(await find()).toEqual(book)
    })

    test.each(ROLES)('is redacted from every record the %s reads, also when named', async (role) => {
      const { agent, ...person } = scene.players[role]
      const readable = MODELS.filter((model) => may(person, model, 'read'))
      const found = await complaints(readable, async (model) => {
        const hidden = [...DECLARED.get(model)!.values()]
          .filter((field) => isHidden(person, field))
          .map(({ name }) => name)
        const whole = await agent.must<Record<string, unknown>[]>(model, 'search', [[]], {
          archived: 'include',
          limit: 20,
        })
        const named = await agent.must<Record<string, unknown>[]>(model, 'search_read', [[], ['id', ...hidden]], {
          limit: 20,
        })
        const again = await agent.must<Record<string, unknown>[]>(model, 'read', [
          whole.map((row) => row['id']),
          hidden,
        ])
        const isOwn = (row: object) => model === 'core.user' && 'id' in row && row.id === scene.players[role].id
        const isShown = (row: Record<string, unknown>, name: string) =>
          fieldOf(model, name).privateTo.length > 0 ? !isOwn(row) && row[name] !== null : name in row
        const shown = [...whole, ...named, ...again].flatMap((row) => hidden.filter((name) => isShown(row, name)))
        const draft = may(person, model, 'create')
          ? await agent.must<{ value: object }>(model, 'onchange', [{}, []])
          : { value: {} }
        const leaked = [...shown, ...hidden.filter((name) => name in draft.value)]
        return leaked.length === 0 ? undefined : { model, leaked }
      })
      expect(found).toEqual([])
    })

    test.each(['administrator', 'librarian'] as const)('is usable by the %s, whose group it is for', async (role) => {
      const { agent, ...person } = scene.players[role]
      const own = MODELS.filter((model) => may(person, model, 'read'))
        .flatMap((model) => [...DECLARED.get(model)!.values()])
        .filter((field) => field.groups.length > 0 && !isHidden(person, field))
      expect(own.length).toBeGreaterThan(0)
      expect(await refusals(agent, uses(own, { domain: QUERIES['a domain']! }), 'OK')).toEqual([])
    })
  })

  describe('a path over relations', () => {
    const END_TYPES = new Set(['char', 'integer', 'selection', 'boolean', 'many2one'])

    interface Case {
      readonly model: string
      readonly path: readonly string[]
      readonly allowed: boolean
    }

    /** Paths of two and three steps, half of them over something the person may not see. */
    function pathCases(person: Person, count: number): readonly Case[] {
      const random = randomOf(7)
      const all = MODELS.filter((model) => may(person, model, 'read')).flatMap((model) =>
        [...pathsFrom(model, 3)]
          .filter((path) => path.length > 1 && !endOf(model, path).unsearchable)
          .map((path) => ({ model, path, allowed: mayFollow(person, model, path) })),
      )
      const pick = (allowed: boolean) =>
        sample(
          random,
          all.filter((item) => item.allowed === allowed),
          count,
        )
      return [...pick(false), ...pick(true)]
    }

    function endOf(model: string, path: readonly string[]): DeclaredField {
      const [name = '', ...rest] = path
      const field = fieldOf(model, name)
      return rest.length === 0 ? field : endOf(field.target!, rest)
    }

    const isStraight = (model: string, [name = '', ...rest]: readonly string[]): boolean =>
      rest.length === 0 || (fieldOf(model, name).type === 'many2one' && isStraight(fieldOf(model, name).target!, rest))

    test('is checked in a having, too', async () => {
      const { agent } = scene.players.colleague
      for (const [model, groupby, having] of [
        ['sys.action', 'view_id', [['view_id.name', '=', 'x']]],
        ['sys.action', 'view_id', [['view_id', 'ilike', 'x']]],
        ['sys.action', 'view_id', [['view_id', 'any', [['name', '=', 'x']]]]],
        ['core.user', 'company_id', [['company_id.user_ids', '!=', null]]],
        ['core.user', 'company_id', ['!', ['company_id.partner_id.create_uid.group_ids', '=', 1]]],
      ] as const) {
        const answer = await call(agent, model, 'read_group', [{ groupby: [groupby] }], { having })
        expect([having, codeOf(answer)]).toEqual([having, 'ACCESS_DENIED'])
      }
    })

    const PEOPLE: readonly Role[] = ['administrator', 'colleague', 'reader', 'librarian', 'outsider', 'cataloguer']
    test.each(PEOPLE)('is checked at every hop for the %s', async (role) => {
      const { agent, ...person }: Player = scene.players[role]
      const cases = pathCases(person, repeats(40, 150))
      const found = await complaints(cases, async ({ model, path, allowed }) => {
        const text = path.join('.')
        const nested = path
          .slice(0, -1)
          .reduceRight<unknown[]>((inner, step) => [[step, 'any', inner]], [[path.at(-1), '=', null]])
        const wanted = allowed ? 'OK' : 'ACCESS_DENIED'
        const asked = [
          await call(agent, model, 'search_read', [[[text, '=', null]], ['id']], { limit: 1 }),
          await call(agent, model, 'search_read', [nested, ['id']], { limit: 1 }),
        ]
        if (!allowed && isStraight(model, path) && END_TYPES.has(endOf(model, path).type)) {
          asked.push(await call(agent, model, 'read_group', [{ groupby: [text] }], { limit: 1 }))
          asked.push(
            await call(agent, model, 'read_group', [{ fields: [{ name: 'n', field: text, measure: 'count' }] }]),
          )
        }
        const wrong = asked.filter((answer) => codeOf(answer) !== wanted)
        return wrong.length === 0
          ? undefined
          : { model, text, wanted, got: wrong.map((answer) => answer.error ?? 'OK') }
      })
      expect(found).toEqual([])
    })
  })
})
