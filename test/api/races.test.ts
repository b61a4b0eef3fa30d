import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import type { Agent, RpcAnswer } from '../support/agent.ts'
import { PATIENCE_MS } from '../support/database.ts'
import { describeHost } from '../support/hosts.ts'
import { pick, randomOf } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'
import {
  openTwoCompanies,
  partnerOwners,
  type RawRow,
  rawRows,
  type Scene,
  twoCompanies,
} from '../support/two-companies.ts'
import type { RpcBody } from './rpc-grammar.ts'

const ROUNDS = repeats(100, 1_000)
const PAIRS = repeats(50, 1_000)

const codeOf = ({ ok, error }: RpcAnswer) => (ok ? 'OK' : error!.code)

describeHost('calls at the same time', { kind: 'process', template: twoCompanies }, (host) => {
  let scene: Scene
  /** Somebody else who works on the same database. */
  let rival: Database
  const random = randomOf(11)

  beforeAll(async () => {
    scene = await openTwoCompanies(host)
    rival = connectDatabase({
      dsn: host.database.dsn,
      maxConnections: 4,
      applicationName: 'rival',
      connectWaitMs: PATIENCE_MS,
    })
  })
  afterAll(() => rival?.close())

  const run = (text: ReturnType<typeof sql>) => text.execute(rival.db)

  const first = async (model: string, where: (row: RawRow) => boolean) => (await rawRows(host, model)).find(where)!

  /** One that everybody may write. */
  const partner = async () => {
    const owners = await partnerOwners(host)
    return first('core.partner', (row) => row['company_id'] === null && !owners.has(row.id))
  }

  const now = (model: string, id: number) => first(model, (row) => row.id === id)

  /** A busy service asks its callers to retry, and this caller does. */
  async function insist(agent: Agent, body: RpcBody, headers = {}): Promise<RpcAnswer> {
    for (let tries = 0; ; tries++) {
      const answer = await agent.send(body, headers)
      if (answer.status !== 503 || tries === 400) return answer
      expect(answer.headers.get('retry-after')).not.toBeNull()
      await pause(25)
    }
  }

  describe('while a record changes hands', () => {
    let loan: RawRow
    let shelf: RawRow
    let line: RawRow
    let librarian: number
    let outsider: number
    let reader: number
    beforeAll(async () => {
      librarian = scene.players.librarian.id
      outsider = scene.players.outsider.id
      reader = scene.players.reader.id
      loan = await first('library.loan', (row) => row['user_id'] === reader && row['company_id'] === scene.companies[0])
      line = await first('library.loan.line', (row) => row['loan_id'] === loan.id)
      shelf = await first('library.shelf', (row) => row['keeper_id'] === librarian)
      await run(sql`create table referee (verdict text)`)
      await run(
        sql.raw(`create function judge() returns trigger language plpgsql as $$ begin
          if tg_op = 'UPDATE' and new.version > old.version and old.user_id <> ${reader} and new.write_uid = ${reader} then
            insert into referee values ('wrote a loan of ' || old.user_id);
          elsif tg_op = 'DELETE' then insert into referee values ('deleted'); end if;
          return coalesce(new, old); end $$`),
      )
      await run(sql`create trigger judge before update on library_loan for each row execute function judge()`)
      await run(sql`create trigger judge before delete on library_shelf for each row execute function judge()`)
    })

    const loanTo = (user: number) => run(sql`update library_loan set user_id = ${user} where id = ${loan.id}`)
    const shelfTo = (user: number) => run(sql`update library_shelf set keeper_id = ${user} where id = ${shelf.id}`)

    /** Calls the owner could make, each with what gives the record to somebody else. */
    const calls: readonly (() => readonly [Agent, RpcBody, typeof loanTo, owner: number, heir: number])[] = [
      () => [
        scene.players.reader.agent,
        { model: 'library.loan', method: 'write', args: [[loan.id], { note: 'mine' }] },
        loanTo,
        reader,
        librarian,
      ],
      () => [
        scene.players.reader.agent,
        {
          model: 'library.loan',
          method: 'write',
          args: [[loan.id], { note: 'mine' }],
          kwargs: { base_version: { [loan.id]: loan['version'] } },
        },
        loanTo,
        reader,
        librarian,
      ],
      () => [
        scene.players.reader.agent,
        { model: 'library.loan', method: 'write_many', args: [[loan.id], { line_ids: [[1, line.id, { days: 3 }]] }] },
        loanTo,
        reader,
        librarian,
      ],
      () => [
        scene.players.reader.agent,
        { model: 'library.loan', method: 'call', args: [loan.id, 'action_return'] },
        loanTo,
        reader,
        librarian,
      ],
      () => [
        scene.players.librarian.agent,
        { model: 'library.shelf', method: 'unlink', args: [[shelf.id]] },
        shelfTo,
        librarian,
        outsider,
      ],
      () => [
        scene.players.librarian.agent,
        { model: 'library.shelf', method: 'write', args: [[shelf.id], { name: 'mine' }] },
        shelfTo,
        librarian,
        outsider,
      ],
    ]

    test('a call that waits for the change is checked against the changed record', async () => {
      for (let round = 0; round < ROUNDS / 2; round++) {
        const [agent, body, giveTo, owner, heir] = calls[round % calls.length]!()
        await giveTo(owner)
        const before = [
          await now('library.loan', loan.id),
          await now('library.shelf', shelf.id),
          await now('library.loan.line', line.id),
        ]
        const answer = await rival.db.transaction().execute(async (tx) => {
          const table = body.model === 'library.loan' ? sql`library_loan set user_id` : sql`library_shelf set keeper_id`
          await sql`update ${table} = ${heir} where id = ${(body.model === 'library.loan' ? loan : shelf).id}`.execute(
            tx,
          )
          const call = agent.send(body)
          // At any point of the call: on its way, at its first reads, or where it waits for the row.
          await pause(pick(random, [0, 2, 5, 10, 20]))
          return { call }
        })
        expect([body, codeOf(await answer.call)]).toEqual([body, 'ACCESS_DENIED'])
        await giveTo(owner)
        const after = [
          await now('library.loan', loan.id),
          await now('library.shelf', shelf.id),
          await now('library.loan.line', line.id),
        ]
        expect(after).toEqual(before)
      }
    })

    test('no call changes it once it belongs to another user', async () => {
      let isOver = false
      const swap = async (giveTo: typeof loanTo, hands: readonly number[]) => {
        while (!isOver) {
          await giveTo(pick(random, hands))
          // Changes at any point of the calls.
          await pause(pick(random, [0, 1, 2]))
        }
      }
      const swaps = [swap(loanTo, [reader, librarian]), swap(loanTo, [reader, outsider])]
      const codes = new Map<string, number>()
      const work = async (share: number) => {
        for (let i = 0; i < share; i++) {
          const [agent, body] = calls[i % 3]!()
          const code = codeOf(await agent.send({ ...body, kwargs: {} }))
          codes.set(code, (codes.get(code) ?? 0) + 1)
        }
      }
      await Promise.all([work(ROUNDS / 2), work(ROUNDS / 2)])
      isOver = true
      await Promise.all(swaps)
      expect([...codes.keys()].filter((code) => !['OK', 'ACCESS_DENIED', 'CONFLICT'].includes(code))).toEqual([])
      expect(codes.get('OK')).toBeGreaterThan(0)
      expect(codes.get('ACCESS_DENIED')).toBeGreaterThan(0)
      const { rows } = await sql`select * from referee`.execute(rival.db)
      expect(rows).toEqual([])
    })
  })

  describe('by two who write the same record', () => {
    const write = (agent: Agent, row: RawRow, values: object, isVersioned: boolean) =>
      agent.send({
        model: 'core.partner',
        method: 'write',
        args: [[row.id], values],
        ...(isVersioned && { kwargs: { base_version: { [row.id]: row['version'] } } }),
      })

    test('of the same version, one succeeds and the other gets a conflict', async () => {
      const { colleague, reader } = scene.players
      for (let round = 0; round < PAIRS; round++) {
        const row = await partner()
        const answers = await Promise.all([
          write(colleague.agent, row, { ref: `a${round}` }, true),
          write(reader.agent, row, { ref: `b${round}` }, true),
        ])
        expect(answers.map(codeOf).sort()).toEqual(['CONFLICT', 'OK'])
        const [winner, loser] = codeOf(answers[0]!) === 'OK' ? ['a', 'b'] : ['b', 'a']
        const conflict = answers.find((answer) => !answer.ok)!.error!.details['records']
        expect(conflict).toEqual({
          [row.id]: {
            version: Number(row['version']) + 1,
            fields: { ref: { base: row['ref'], mine: `${loser}${round}`, theirs: `${winner}${round}` } },
          },
        })
        expect(await partner()).toMatchObject({ ref: `${winner}${round}`, version: Number(row['version']) + 1 })
      }
    })

    test.each([true, false])(
      'different fields are both kept (over a version: %s)',
      async (isVersioned) => {
        const { colleague, reader } = scene.players
        for (let round = 0; round < PAIRS; round++) {
          const row = await partner()
          const answers = await Promise.all([
            write(colleague.agent, row, { city: `a${round}` }, isVersioned),
            write(reader.agent, row, { street: `b${round}` }, isVersioned),
          ])
          expect(answers.map(codeOf)).toEqual(['OK', 'OK'])
          expect(await partner()).toMatchObject({
            city: `a${round}`,
            street: `b${round}`,
            version: Number(row['version']) + 2,
          })
        }
      },
      60_000,
    )
  })

  describe('that lock each other’s records', () => {
    const SETTLED = ['OK', 'CONFLICT']

    test('fifty writers of one record all come through, one after the other', async () => {
      const row = await partner()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          insist(scene.players.colleague.agent, {
            model: 'core.partner',
            method: 'write',
            args: [[row.id], { ref: `w${i}` }],
          }),
        ),
      )
      expect(new Set(answers.map(codeOf))).toEqual(new Set(['OK']))
      expect((await now('core.partner', row.id))['version']).toBe(Number(row['version']) + 50)
    })

    test('writing the same records in opposite order never blocks forever', async () => {
      const { librarian, cataloguer } = scene.players
      const books = (await rawRows(host, 'library.book')).filter((row) => row['company_id'] === scene.companies[0])
      const ids = books.map((row) => row.id)
      for (let round = 0; round < ROUNDS / 10; round++) {
        const answers = await Promise.all([
          librarian.agent.send({ model: 'library.book', method: 'write_many', args: [ids, { rating: round % 5 }] }),
          cataloguer.agent.send({
            model: 'library.book',
            method: 'write_many',
            args: [ids.toReversed(), { pages: round + 1 }],
          }),
        ])
        expect(answers.map(codeOf)).toEqual(['OK', 'OK'])
      }
    })

    test('a real deadlock never ends in an internal error', async () => {
      const { librarian, cataloguer } = scene.players
      const author = (await first('library.book', (row) => row['company_id'] === scene.companies[0]))['author_id']
      const books = (await rawRows(host, 'library.book')).filter((row) => row['company_id'] === scene.companies[0])
      const [a = 0, b = 0] = books.map((row) => row.id)
      const other = (await first('library.author', (row) => row.id !== author)).id
      await run(sql`insert into library_book_co_author_ids_rel (source_id, target_id)
        select source_id, target_id from (values (${a}::int, ${other}::int), (${b}::int, ${other}::int), (${a}::int, ${author}::int), (${b}::int, ${author}::int))
        as v(source_id, target_id) on conflict do nothing`)
      const edit = (agent: Agent, id: unknown, order: readonly number[], pages: number) =>
        agent.send({
          model: 'library.author',
          method: 'write',
          args: [[id], { co_book_ids: order.map((book) => [1, book, { pages }]) }],
        })
      for (let round = 0; round < 4; round++) {
        const answers = await Promise.all([
          edit(librarian.agent, author, [a, b], 100 + round),
          edit(cataloguer.agent, other, [b, a], 200 + round),
        ])
        expect(answers.map(codeOf).filter((code) => !SETTLED.includes(code))).toEqual([])
        expect(answers.map(codeOf)).toContain('OK')
        const pages = [await now('library.book', a), await now('library.book', b)].map((row) => row['pages'])
        expect(pages[0]).toBe(pages[1])
      }
    })

    test('writing and deleting the same record ends in one of the two', async () => {
      const { librarian, cataloguer } = scene.players
      for (let round = 0; round < ROUNDS / 10; round++) {
        const id = await librarian.agent.must<number>('library.author', 'create', [{ name: `Short-lived ${round}` }])
        const [write, unlink] = await Promise.all([
          cataloguer.agent.send({ model: 'library.author', method: 'write', args: [[id], { name: 'x' }] }),
          librarian.agent.send({ model: 'library.author', method: 'unlink', args: [[id]] }),
        ])
        expect(['OK', 'NOT_FOUND', 'CONFLICT']).toContain(codeOf(write!))
        expect(codeOf(unlink!)).toBe('OK')
        expect(await now('library.author', id)).toBeUndefined()
      }
    })
  })

  describe('under one Idempotency-Key', () => {
    const create = (name: string): RpcBody => ({ model: 'core.partner', method: 'create', args: [{ name }] })
    const count = async (name: string) =>
      (await rawRows(host, 'core.partner')).filter((row) => row['name'] === name).length

    test('fifty equal ones have one effect and one answer', async () => {
      const { agent } = scene.players.colleague
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => insist(agent, create('Once'), { 'idempotency-key': 'once' })),
      )
      expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.result])))).toHaveProperty('size', 1)
      expect(answers.map(codeOf)).not.toContain('CONFLICT')
      expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(49)
      expect(await count('Once')).toBe(1)
    })

    test('an action runs once, too', async () => {
      const { agent, id } = scene.players.librarian
      const book = await first('library.book', (row) => row['company_id'] === scene.companies[0])
      const partner = await first('core.partner', (row) => row['company_id'] === scene.companies[0])
      const loans = (await rawRows(host, 'library.loan')).length
      const lend: RpcBody = {
        model: 'library.book',
        method: 'call',
        args: [book.id, 'action_lend', { borrower_id: String(partner.id) }],
      }
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => insist(agent, lend, { 'idempotency-key': `lend-${id}` })),
      )
      expect(new Set(answers.map(codeOf))).toEqual(new Set(['OK']))
      expect(await rawRows(host, 'library.loan')).toHaveLength(loans + 1)
    })

    test('different ones have the effect of one and conflict with it', async () => {
      const { agent } = scene.players.colleague
      const names = Array.from({ length: 20 }, (_, i) => `Rival ${i}`)
      const answers = await Promise.all(
        names.map((name) => insist(agent, create(name), { 'idempotency-key': 'rivals' })),
      )
      expect(answers.map(codeOf).filter((code) => code === 'OK')).toHaveLength(1)
      expect(answers.map(codeOf).filter((code) => code === 'CONFLICT')).toHaveLength(19)
      const made = await Promise.all(names.map(count))
      expect(made.reduce((sum, n) => sum + n, 0)).toBe(1)
    })

    test('the same key of two users is independent', async () => {
      const { colleague, reader } = scene.players
      const answers = await Promise.all(
        [colleague, reader].map(({ agent }) => insist(agent, create('Twice'), { 'idempotency-key': 'shared' })),
      )
      expect(answers.map(codeOf)).toEqual(['OK', 'OK'])
      expect(await count('Twice')).toBe(2)
    })

    test('a refused one leaves the key free', async () => {
      const { agent } = scene.players.colleague
      const headers = { 'idempotency-key': 'second chance' }
      expect(
        codeOf(
          await insist(agent, { model: 'core.partner', method: 'create', args: [{}] }, { 'idempotency-key': 'again' }),
        ),
      ).toBe('VALIDATION')
      expect(codeOf(await insist(agent, create('Again'), { 'idempotency-key': 'again' }))).toBe('OK')
      expect(codeOf(await insist(agent, create('Again'), headers))).toBe('BAD_REQUEST')
    })
  })
})
