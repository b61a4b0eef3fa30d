import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { mayUse } from '../support/declared-access.ts'
import { DECLARED, type DeclaredField, fieldOf, isHidden, pathsFrom } from '../support/declared-fields.ts'
import { describeHost } from '../support/hosts.ts'
import { pick, type Random, randomOf, sample } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'
import {
  openTwoCompanies,
  type Player,
  rawRows,
  SCENE_LINES,
  type Scene,
  twoCompanies,
} from '../support/two-companies.ts'
import type { RpcBody } from './rpc-grammar.ts'

/** Those from whom the changes below are hidden. */
const OBSERVERS = ['colleague', 'reader', 'cataloguer'] as const
/** One moment for all calls: defaults like "now" must not make answers differ. */
const NOON = new Date('2026-06-15T12:00:00Z')

/** Texts and numbers that hidden places hold at some time of the test. */
const TEXTS = [
  'Partner',
  'secret',
  'Kept by',
  'Book 1',
  'Filter of',
  'hidden',
  'draft',
  'lost',
  'open',
  'returned',
] as const
const NUMBERS = [0, 1, 10, 12, 77, 77.5, 900_001] as const
const TEXT_OPERATORS = ['ilike', 'not ilike', '=like', 'like', '=', '!=', '<'] as const
const NUMBER_OPERATORS = ['=', '!=', '<', '>=', 'in', 'not in'] as const

/** What the test changes in records that are hidden from the observers. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  'core.partner': ['name', 'email', 'ref', 'is_company', 'parent_id', 'active', 'child_ids'],
  'library.shelf': ['name', 'sequence', 'parent_id', 'child_ids', 'book_ids'],
  'library.book': ['title', 'state', 'price', 'language', 'rating', 'shelf_id', 'co_author_ids'],
  'library.loan': ['state', 'note', 'total', 'line_ids'],
  'library.author': ['book_ids', 'co_book_ids'],
  'sys.filter': ['name'],
}

const isText = ({ type }: DeclaredField) => ['char', 'text', 'html', 'selection'].includes(type)
const isLink = ({ target }: DeclaredField) => target !== null

/** Every record has them and they lead to users, of whom nothing hidden changes. */
const isStamp = (name: string) => name === 'create_uid' || name === 'write_uid'

/** Paths of up to three steps that end where something hidden changes. */
const tellingPaths = (model: string): readonly { path: string; end: DeclaredField }[] =>
  [...pathsFrom(model, 3)].flatMap((steps) => {
    const end = steps.slice(1).reduce((field, name) => fieldOf(field.target!, name), fieldOf(model, steps[0]!))
    return !steps.some(isStamp) && CHANGED[end.model]?.includes(end.name) ? [{ path: steps.join('.'), end }] : []
  })

function conditionOn(
  random: Random,
  { path, end }: { path: string; end: DeclaredField },
  ids: readonly number[],
): unknown[] {
  if (isLink(end) && random() < 0.4) return [path, pick(random, ['=', '!=']), null]
  if (isLink(end) && random() < 0.3) return [path, pick(random, ['child_of', 'parent_of']), pick(random, ids)]
  if (isText(end)) {
    const operator = pick(random, TEXT_OPERATORS)
    return [path, operator, `${pick(random, TEXTS)}${operator === '=like' ? '%' : ''}`]
  }
  if (end.type === 'boolean') return [path, '=', random() < 0.5]
  const value = () => pick(random, isLink(end) ? ids : NUMBERS)
  const operator = isLink(end) ? pick(random, ['in', 'not in']) : pick(random, NUMBER_OPERATORS)
  return [path, operator, operator.endsWith('in') ? [value(), value()] : value()]
}

/** Conditions that look over a path at what is hidden at its end, alone and joined with others. */
function domainQuestions(random: Random, model: string, ids: readonly number[]): RpcBody[] {
  const paths = tellingPaths(model)
  return sample(random, paths, repeats(2, 24)).map((path) => {
    const other = conditionOn(random, pick(random, paths), ids)
    const condition = conditionOn(random, path, ids)
    const domain = pick(random, [[condition], ['!', condition], ['|', condition, other], [condition, '!', other]])
    const kwargs = { archived: pick(random, ['include', 'exclude']), limit: 100 }
    return random() < 0.7
      ? { model, method: 'search_read', args: [domain, ['id']], kwargs }
      : { model, method: 'read_group', args: [{ domain }], kwargs: { archived: 'include' } }
  })
}

/** Orders, groups and measures by fields of a model that lead somewhere else (in a soak by all of them), and by what lies there. */
function shapeQuestions(random: Random, model: string): RpcBody[] {
  const links = [...DECLARED.get(model)!.values()].filter((field) => isLink(field) && !isStamp(field.name))
  const orders = links.flatMap(({ name }) => [name, `${name} desc`])
  const paths = [
    ...sample(
      random,
      links.map(({ name }) => name),
      repeats(3, links.length),
    ),
    ...sample(random, tellingPaths(model), repeats(1, 8)).map(({ path }) => path),
  ]
  const measures = paths.map((field) => ({
    name: 'n',
    field,
    measure: pick(random, ['count', 'count_distinct', 'max']),
  }))
  return [
    ...sample(random, orders, repeats(3, orders.length)).map(
      (order): RpcBody => ({ model, method: 'search_read', args: [[], ['id']], kwargs: { order, limit: 50 } }),
    ),
    ...paths.map((path): RpcBody => ({ model, method: 'read_group', args: [{ groupby: [path] }] })),
    ...measures.map((measured): RpcBody => ({ model, method: 'read_group', args: [{ fields: [measured] }] })),
    { model, method: 'search', args: [[]], kwargs: { archived: 'include', limit: 50 } },
  ]
}

/** Questions nobody chose: any field, any value. */
function wildQuestion(random: Random, player: Player, model: string, ids: readonly number[]): RpcBody {
  const { name } = pick(random, [...DECLARED.get(model)!.values()])
  const isWritable = mayUse(player, model, 'create', SCENE_LINES)
  const values = random() < 0.5 ? {} : { [name]: pick(random, ids) }
  return pick<RpcBody>(random, [
    {
      model,
      method: 'search',
      args: [[[name, pick(random, NUMBER_OPERATORS), pick(random, [null, 1, 'secret', [1]])]]],
    },
    { model, method: 'read', args: [[pick(random, ids)], [name]] },
    {
      model,
      method: isWritable ? 'onchange' : 'search',
      args: isWritable ? [values, Object.keys(values)] : [[[name, '=', null]]],
    },
  ])
}

describeHost(
  'what a person may not see',
  { kind: 'process', template: twoCompanies },
  (host) => {
    let scene: Scene
    /** Records hidden from every observer: of the other company, or with another keeper. */
    let hidden: Readonly<Record<'partner' | 'shelf' | 'book' | 'loan' | 'filter', number>>
    let open: Readonly<Record<'shelf' | 'author' | 'partner', number>>
    /** A shelf everybody sees that stands on a hidden one. */
    let below: number
    const calls = new Map<string, readonly RpcBody[]>()
    const before = new Map<string, readonly string[]>()

    beforeAll(async () => {
      scene = await openTwoCompanies(host)
      const [own, other] = scene.companies
      const idOf = async (model: string, column: string, value: unknown) =>
        (await rawRows(host, model)).find((row) => row[column] === value)!.id
      hidden = {
        partner: await idOf('core.partner', 'company_id', other),
        shelf: await idOf('library.shelf', 'keeper_id', scene.players.outsider.id),
        book: await idOf('library.book', 'company_id', other),
        loan: await idOf('library.loan', 'company_id', other),
        filter: await idOf('sys.filter', 'user_id', scene.players.administrator.id),
      }
      open = {
        shelf: await idOf('library.shelf', 'name', 'Open'),
        author: (await rawRows(host, 'library.author'))[0]!.id,
        partner: await idOf('core.partner', 'company_id', own),
      }
      below = await idOf('library.shelf', 'name', 'Novels')
      await run(sql`update library_shelf set parent_id = ${hidden.shelf} where id = ${below}`)
      for (const role of OBSERVERS) {
        calls.set(role, [...questions(scene.players[role]), ...intrusions()])
        before.set(role, await ask(scene.players[role].agent, calls.get(role)!))
      }
    })

    function questions(player: Player): RpcBody[] {
      const random = randomOf(player.id)
      const models = [...DECLARED.keys()].filter((model) => mayUse(player, model, 'read', SCENE_LINES))
      const ids = [1, 2, 3, 5, 8, ...Object.values(hidden), ...Object.values(open)]
      return [
        ...models.flatMap((model) => [...domainQuestions(random, model, ids), ...shapeQuestions(random, model)]),
        ...Array.from({ length: repeats(12, 60) }, () => wildQuestion(random, player, pick(random, models), ids)),
      ]
    }

    /** Attempts on hidden records themselves, and on visible ones that hidden ones hang on. Those that could change something are refused. */
    function intrusions(): RpcBody[] {
      const models = { 'core.partner': hidden.partner, 'library.shelf': hidden.shelf, 'library.book': hidden.book }
      const trees = ['child_of', 'parent_of'].flatMap((operator): RpcBody[] =>
        [open.shelf, below].flatMap((id) => [
          { model: 'library.shelf', method: 'search_read', args: [[['id', operator, id]], ['id']] },
          { model: 'library.book', method: 'search_read', args: [[['shelf_id', operator, id]], ['id']] },
        ]),
      )
      const direct = Object.entries({ ...models, 'library.loan': hidden.loan, 'sys.filter': hidden.filter }).flatMap(
        ([model, id]): RpcBody[] => [
          { model, method: 'read', args: [[id]] },
          { model, method: 'write', args: [[id], {}] },
          { model, method: 'write', args: [[id], { name: 'x' }], kwargs: { base_version: { [id]: 1 } } },
          { model, method: 'unlink', args: [[id]] },
          { model, method: 'onchange', args: [{}, []], kwargs: { id } },
          { model, method: 'call', args: [id, 'action_make_available'] },
        ],
      )
      const commands = [
        [1, hidden.book, { pages: 1 }],
        [2, hidden.book],
        [4, hidden.book],
        [6, 0, [hidden.book]],
      ]
      const linked = commands.flatMap((command): RpcBody[] => [
        { model: 'library.shelf', method: 'write', args: [[open.shelf], { book_ids: [command] }] },
        { model: 'library.author', method: 'write', args: [[open.author], { co_book_ids: [command] }] },
        {
          model: 'library.shelf',
          method: 'onchange',
          args: [{ book_ids: [command] }, ['book_ids']],
          kwargs: { id: open.shelf },
        },
        {
          model: 'library.shelf',
          method: 'write',
          args: [[open.shelf], { child_ids: [[command[0], hidden.shelf, {}]] }],
        },
      ])
      const pointed: RpcBody[] = [
        { model: 'core.partner', method: 'write', args: [[open.partner], { parent_id: hidden.partner }] },
        {
          model: 'library.book',
          method: 'create',
          args: [{ title: 'x', author_id: open.author, shelf_id: hidden.shelf }],
        },
        { model: 'library.loan', method: 'create', args: [{ borrower_id: hidden.partner }] },
      ]
      return [...trees, ...direct, ...linked, ...pointed]
    }

    /** Every answer whole: status, body, cursor, and how many statements it took where they are seen. */
    async function ask(agent: Agent, bodies: readonly RpcBody[]): Promise<string[]> {
      const answers: string[] = []
      const { statements } = host.database
      for (const body of bodies) {
        statements.length = 0
        const response = await agent.post(JSON.stringify(body))
        const taken = host.kind === 'workerd' ? '' : statements.length
        answers.push(`${response.status} ${taken} ${response.headers.get('x-next-cursor')} ${await response.text()}`)
      }
      return answers
    }

    const run = (text: ReturnType<typeof sql>) => text.execute(host.database.db)

    async function expectSameAnswers(): Promise<void> {
      for (const role of OBSERVERS) {
        const asked = calls.get(role)!
        const now = await ask(scene.players[role].agent, asked)
        const changed = asked.flatMap((body, i) =>
          now[i] === before.get(role)![i] ? [] : [{ role, body, was: before.get(role)![i], is: now[i] }],
        )
        expect(changed).toEqual([])
      }
    }

    test('is covered by many queries, answered as well as refused', () => {
      const codes = [...before.values()].flat().map((answer) => /^\d+/.exec(answer)![0])
      const share = (code: string) => codes.filter((other) => other === code).length / codes.length
      expect(share('200')).toBeGreaterThan(0.2)
      expect(share('403')).toBeGreaterThan(0.05)
      expect([...new Set(codes)].filter((code) => Number(code) >= 500)).toEqual([])
    })

    describe('leaves every answer unchanged', () => {
      test('when hidden fields get other values', async () => {
        await run(sql`update library_book set purchase_price = 77.5 + id`)
        await run(sql`update core_user set login_key = 'secret' || id`)
        await run(sql`update sys_credential set password_hash = 'plain:secret' || user_id`)
        await run(sql`insert into core_user_group_ids_rel (source_id, target_id)
        select u.id, g.id from core_user u, core_group g where u.login in ('stranger', 'depositor') on conflict do nothing`)
        await run(sql`insert into core_user_company_ids_rel (source_id, target_id)
        select u.id, c.id from core_user u, core_company c where u.login = 'outsider' on conflict do nothing`)
        await expectSameAnswers()
      })

      test('when hidden records get other values', async () => {
        const [, other] = scene.companies
        await run(sql`update core_partner set name = 'secret ' || id, email = 'secret@example.com', ref = 'S', is_company = true,
        user_id = ${scene.players.colleague.id}, parent_id = null, active = false where company_id = ${other}`)
        await run(sql`update library_shelf set name = 'secret ' || id, sequence = -id, parent_id = ${open.shelf}
        where keeper_id is not null and keeper_id <> ${scene.players.colleague.id}`)
        await run(sql`update library_book set title = 'secret ' || id, state = 'lost', shelf_id = ${open.shelf}, price = 77,
        language = 'xx', rating = 1 where company_id = ${other}`)
        await run(
          sql`update library_loan set state = 'returned', note = 'secret', total = 77 where company_id = ${other}`,
        )
        await run(
          sql`delete from library_book_co_author_ids_rel using library_book b where b.id = source_id and b.company_id = ${other}`,
        )
        await run(
          sql`update sys_filter set name = 'secret ' || id, domain = '[["id","=",1]]' where user_id = ${scene.players.administrator.id}`,
        )
        await run(sql`update core_group set name = 'secret ' || id, category = 'secret'`)
        await run(sql`update core_api_key set name = 'secret' where user_id = ${scene.players.administrator.id}`)
        await run(sql`update sys_cron set name = 'secret ' || id, priority = 77`)
        await expectSameAnswers()
      })

      test('when there are more hidden records', async () => {
        const [, other] = scene.companies
        const now = sql`now(), now(), 1`
        await run(sql`insert into core_partner (id, name, is_company, active, company_id, parent_id, create_date, write_date, version)
        select 900000 + n, 'hidden ' || n, true, true, ${other}, ${open.partner}, ${now} from generate_series(1, 5) n`)
        await run(sql`insert into library_shelf (id, name, keeper_id, parent_id, sequence, active, create_date, write_date, version)
        select 900000 + n, 'hidden', ${scene.players.outsider.id}, case when n = 1 then ${open.shelf}::int else ${hidden.shelf}::int end, 0, true, ${now}
        from generate_series(1, 5) n`)
        await run(sql`insert into library_book (id, title, author_id, company_id, currency_id, shelf_id, state, is_rare, active, create_date, write_date, version)
        select 900000 + n, 'hidden ' || n, ${open.author}, ${other}, 1, ${open.shelf}, 'draft', false, true, ${now} from generate_series(1, 5) n`)
        await run(
          sql`insert into library_book_co_author_ids_rel (source_id, target_id) values (900001, ${open.author})`,
        )
        await run(sql`insert into library_loan (id, borrower_id, company_id, date_loan, state, create_date, write_date, version)
        select 900000 + n, ${open.partner}, ${other}, now(), 'open', ${now} from generate_series(1, 5) n`)
        await run(sql`insert into sys_filter (id, name, model, user_id, is_default, active, create_date, write_date, version)
        select 900000 + n, 'hidden ' || n, 'core.partner', ${scene.players.outsider.id}, true, true, ${now} from generate_series(1, 5) n`)
        await run(
          sql`insert into sys_setting (key, value, create_date, write_date, version) values ('secret', 'secret', ${now})`,
        )
        await expectSameAnswers()
      })
    })

    test('stays out of the details of a conflict', async () => {
      const { agent } = scene.players.cataloguer
      const read = async () =>
        (
          await agent.must<{ version: number; co_book_ids: number[] }[]>('library.author', 'read', [
            [open.author],
            ['version', 'co_book_ids'],
          ])
        )[0]!
      const { version, co_book_ids } = await read()
      await host.modules.asSystem((env) => env.model('library.author').write([open.author], { co_book_ids: [] }))
      const { error } = await agent.rpc(
        'library.author',
        'write',
        [[open.author], { co_book_ids: co_book_ids.slice(1) }],
        {
          base_version: { [open.author]: version },
        },
      )
      expect(error?.code).toBe('CONFLICT')
      expect(error?.details['records']).toEqual({
        [open.author]: {
          version: version + 1,
          fields: { co_book_ids: { base: co_book_ids, mine: co_book_ids.slice(1), theirs: [] } },
        },
      })
    })

    test('does not appear in fields that an observer may read', () => {
      for (const role of OBSERVERS) {
        expect(isHidden(scene.players[role], fieldOf('library.book', 'purchase_price'))).toBe(true)
        expect(before.get(role)!.join('\n')).not.toMatch(/plain:|"purchase_price"|"login_key"|"password"/)
      }
    })
  },
  { clock: () => NOON },
)
