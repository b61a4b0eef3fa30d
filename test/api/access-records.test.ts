import { beforeAll, describe, expect, test } from 'vitest'
import type { Relation } from '../../kernel/model/fields/field.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { mayUse, type Operation, type Person, RULED_MODELS, ruleAllows } from '../support/declared-access.ts'
import { DECLARED, type DeclaredField } from '../support/declared-fields.ts'
import { describeHost } from '../support/hosts.ts'
import { eachNth } from '../support/soak.ts'
import {
  complaints,
  openTwoCompanies,
  partnerOwners,
  type RawRow,
  ROLES,
  type Role,
  rawRows,
  SCENE_LINES,
  type Scene,
  twoCompanies,
  usersElsewhere,
} from '../support/two-companies.ts'

const MODELS = [...DECLARED.keys()].sort()
const ABSENT = 2_000_000_000
/** Larger than any id can be. */
const BEYOND = 3_000_000_000

const codeOf = ({ ok, error }: Envelope) => (ok ? 'OK' : error!.code)

const may = (person: Person, model: string, operation: Operation) => mayUse(person, model, operation, SCENE_LINES)

/**
 * What a role tries of many cases: in a usual run every fourth, and each role others than the one before, so that all are tried by some
 * role; in a soak every role tries all.
 */
const casesOf = <T>(role: Role, all: readonly T[]): readonly T[] => eachNth(all, 4, ROLES.indexOf(role) % 4)

/** Whether the person may do this with this very record. */
const mayTouch = (person: Person, model: string, operation: Operation, row: RawRow) =>
  may(person, model, operation) && ruleAllows(person, model, operation, row)

describeHost('access to records', { kind: 'process', template: twoCompanies }, (host) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openTwoCompanies(host)
  })

  /** Those who may do anything at all with records. */
  const ACTIVE = ROLES.filter((role) => role !== 'stranger')

  describe('a record rule', () => {
    test.each(ACTIVE)('shows the %s the records it should, by search and by count', async (role) => {
      const { agent, ...person } = scene.players[role]
      const found = await complaints(
        RULED_MODELS.filter((model) => may(person, model, 'read')),
        async (model) => {
          const rows = await rawRows(host, model)
          const visible = rows.filter((row) => mayTouch(person, model, 'read', row)).map((row) => row.id)
          const kwargs = { archived: 'include', order: 'id' }
          const shown = await agent.must<{ id: number }[]>(model, 'search_read', [[], ['id']], kwargs)
          const counted = await agent.must<{ __count: number }[]>(model, 'read_group', [{}], { archived: 'include' })
          const ids = shown.map((row) => row.id)
          const same = JSON.stringify(ids) === JSON.stringify(visible) && counted[0]!.__count === visible.length
          return same ? undefined : { model, visible, ids, counted }
        },
      )
      expect(found).toEqual([])
    })

    interface Attempt {
      readonly operation: Operation
      readonly method: string
      readonly args: (id: number) => readonly unknown[]
      readonly kwargs?: (id: number) => object
    }

    /** None of them changes anything but versions. A form needs the right to read as well as to write. */
    const HARMLESS: readonly Attempt[] = [
      { operation: 'read', method: 'read', args: (id) => [[id], ['id']] },
      { operation: 'write', method: 'write', args: (id) => [[id], {}] },
      { operation: 'write', method: 'write_many', args: (id) => [[id], {}] },
    ]

    test.each(ACTIVE)('decides for the %s about single records', async (role) => {
      const { agent, ...person } = scene.players[role]
      const rows = await Promise.all(RULED_MODELS.map(async (model) => ({ model, rows: await rawRows(host, model) })))
      const owners = await partnerOwners(host)
      const isTaken = (model: string, id: number, operation: Operation) =>
        role !== 'administrator' &&
        model === 'core.partner' &&
        operation === 'write' &&
        owners.has(id) &&
        owners.get(id) !== person.id
      const elsewhere = await usersElsewhere(host, person.companyIds)
      const isElsewhere = (model: string, row: RawRow, operation: Operation) =>
        role === 'administrator' &&
        operation === 'write' &&
        elsewhere.has(model === 'core.user' ? row.id : model === 'core.api.key' ? Number(row['user_id']) : 0)
      const cases = rows.flatMap(({ model, rows }) =>
        rows.flatMap((row) => HARMLESS.map((attempt) => ({ model, row, attempt }))),
      )
      const found = await complaints(casesOf(role, cases), async ({ model, row, attempt }) => {
        const answer = await agent.rpc(model, attempt.method, attempt.args(row.id))
        const { operation } = attempt
        const isKept = isTaken(model, row.id, operation) || isElsewhere(model, row, operation)
        const may = mayTouch(person, model, operation, row) && !isKept
        const wanted = may ? 'OK' : 'ACCESS_DENIED'
        return codeOf(answer) === wanted
          ? undefined
          : { model, row, method: attempt.method, wanted, got: answer.error ?? 'OK' }
      })
      expect(found).toEqual([])
    })

    const ACTIONS: Readonly<Record<string, string>> = {
      'library.book': 'action_make_available',
      'library.loan': 'action_return',
      'core.api.key': 'action_revoke',
    }

    test.each(ACTIVE)('keeps the %s from deleting, opening or running anything on what it hides', async (role) => {
      const { agent, ...person } = scene.players[role]
      const before = await Promise.all(RULED_MODELS.map((model) => rawRows(host, model)))
      const cases = RULED_MODELS.flatMap((model, i) => before[i]!.map((row) => ({ model, row })))
      const found = await complaints(casesOf(role, cases), async ({ model, row }) => {
        const attempts: Envelope[] = []
        if (!mayTouch(person, model, 'unlink', row)) {
          attempts.push(await agent.rpc(model, 'unlink', [[row.id]]), await agent.rpc(model, 'unlink_many', [[row.id]]))
        }
        if (!mayTouch(person, model, 'read', row)) {
          attempts.push(await agent.rpc(model, 'onchange', [{}, []], { id: row.id }))
          if (ACTIONS[model]) attempts.push(await agent.rpc(model, 'call', [row.id, ACTIONS[model]]))
        }
        const wrong = attempts.filter((answer) => codeOf(answer) !== 'ACCESS_DENIED')
        return wrong.length === 0 ? undefined : { model, id: row.id, wrong }
      })
      expect(found).toEqual([])
      expect(await Promise.all(RULED_MODELS.map((model) => rawRows(host, model)))).toEqual(before)
    })

    test('refuses a list of records if one of them is refused', async () => {
      const { agent, ...person } = scene.players.librarian
      const books = await rawRows(host, 'library.book')
      const hidden = books.find((row) => !mayTouch(person, 'library.book', 'read', row))!
      const seen = books.filter((row) => mayTouch(person, 'library.book', 'read', row)).map((row) => row.id)
      for (const ids of [
        [...seen, hidden.id],
        [hidden.id, ...seen],
      ]) {
        expect(codeOf(await agent.rpc('library.book', 'read', [ids]))).toBe('ACCESS_DENIED')
        expect(codeOf(await agent.rpc('library.book', 'write', [ids, { pages: 5 }]))).toBe('ACCESS_DENIED')
        expect(codeOf(await agent.rpc('library.book', 'unlink', [ids]))).toBe('ACCESS_DENIED')
        expect(
          codeOf(
            await agent.rpc('library.book', 'call', [seen[0], 'action_make_available', { active_ids: ids.join() }]),
          ),
        ).toBe('ACCESS_DENIED')
      }
      expect(await rawRows(host, 'library.book')).toEqual(books)
    })
  })

  describe('the link to a record the caller may not read', () => {
    const links = (model: string, types: readonly string[]): DeclaredField[] =>
      [...DECLARED.get(model)!.values()].filter((field) => types.includes(field.type))

    test.each(ACTIVE)('shows the %s no name, and no place in a list', async (role) => {
      const { agent, ...person } = scene.players[role]
      const { registry } = await host.modules.holder.latest()
      const tables = new Map(
        await Promise.all(MODELS.map(async (model) => [model, await rawRows(host, model)] as const)),
      )
      const isVisible = (model: string, id: number) => {
        const row = tables.get(model)!.find((candidate) => candidate.id === id)
        return row !== undefined && mayTouch(person, model, 'read', row)
      }
      const readable = MODELS.filter((model) => may(person, model, 'read') && tables.get(model)!.length < 100)
      const found = await complaints(readable, async (model) => {
        const shown = await agent.must<Record<string, unknown>[]>(model, 'search', [[]], { archived: 'include' })
        const lists = await Promise.all(
          links(model, ['one2many', 'many2many']).map(async ({ name, target }) => {
            return { name, target, linked: await rawLinks(registry.model(model)!.fields.get(name)!.relation) }
          }),
        )
        const wrong: unknown[] = []
        for (const record of shown) {
          const id = record['id'] as number
          const raw = tables.get(model)!.find((row) => row.id === id)!
          for (const { name, target, shows, isCopy } of links(model, ['many2one'])) {
            if (!(name in record) || (shows !== null && !isCopy) || raw[name] === null) continue
            const label = (record[name] as [number, unknown])[1]
            if ((label !== null) !== isVisible(target!, raw[name] as number)) wrong.push({ id, name, label })
          }
          for (const { name, target, linked } of lists) {
            if (!(name in record)) continue
            const wanted = (linked.get(id) ?? []).filter((linkedId) => isVisible(target!, linkedId))
            // The order is that of the target, which has its own test.
            const got = (record[name] as number[]).toSorted((a, b) => a - b)
            if (JSON.stringify(got) !== JSON.stringify(wanted)) wrong.push({ id, name, wanted, got })
          }
        }
        return wrong.length === 0 ? undefined : { model, wrong }
      })
      expect(found).toEqual([])
    })

    /** The ids on the other side of a relation by those on this side. */
    async function rawLinks(relation: Relation | null): Promise<ReadonlyMap<number, readonly number[]>> {
      if (relation === null || relation.kind === 'many2one') return new Map()
      const { table, near, far } =
        relation.kind === 'one2many'
          ? { table: relation.target.replaceAll('.', '_'), near: relation.inverse, far: 'id' }
          : { table: relation.table, near: relation.left, far: relation.right }
      const { rows } = await sql<{ near: number; far: number[] }>`select ${sql.ref(near)} as near,
        array_agg(${sql.ref(far)} order by ${sql.ref(far)}) as far from ${sql.table(table)} group by 1`.execute(
        host.database.db,
      )
      return new Map(rows.map((row) => [row.near, row.far]))
    }

    test.each(ACTIVE)('cannot be made by the %s', async (role) => {
      const { agent, ...person } = scene.players[role]
      const cases: { model: string; row: RawRow; field: DeclaredField; hidden: number }[] = []
      for (const model of MODELS.filter((name) => may(person, name, 'write'))) {
        const row = (await rawRows(host, model)).find(
          (candidate) => mayTouch(person, model, 'write', candidate) && mayTouch(person, model, 'read', candidate),
        )
        if (!row) continue
        for (const field of links(model, ['many2one', 'one2many', 'many2many']).filter((link) => !link.fixed)) {
          const targets = await rawRows(host, field.target!)
          const hidden = targets.find(
            (candidate) => candidate.id !== row[field.name] && !mayTouch(person, field.target!, 'read', candidate),
          )
          if (hidden) cases.push({ model, row, field, hidden: hidden.id })
        }
      }
      const found = await complaints(cases, async ({ model, row, field, hidden }) => {
        const values: readonly unknown[] =
          field.type === 'many2one' ? [hidden] : [[[4, hidden]], [[6, 0, [hidden]]], [hidden]]
        const wrong: unknown[] = []
        for (const value of values) {
          const given = { [field.name]: value }
          for (const answer of [
            await agent.rpc(model, 'write', [[row.id], given]),
            await agent.rpc(model, 'onchange', [given, [field.name]], { id: row.id }),
          ]) {
            if (codeOf(answer) !== 'ACCESS_DENIED') wrong.push({ value, got: answer.error ?? 'OK' })
          }
        }
        const now = (await rawRows(host, model)).find((candidate) => candidate.id === row.id)
        if (JSON.stringify(now) !== JSON.stringify(row)) wrong.push({ before: row, now })
        return wrong.length === 0 ? undefined : { model, field: field.name, wrong }
      })
      expect(found).toEqual([])
      expect(role === 'depositor' || cases.length > 0).toBe(true)
    })
  })

  describe('commands on linked records', () => {
    /** A shelf the librarian may write, with a book of theirs and one of the other company on it. */
    async function sharedShelf() {
      const [shelf] = (await rawRows(host, 'library.shelf')).filter((row) => row['name'] === 'Open')
      const books = (await rawRows(host, 'library.book')).filter((row) => row['shelf_id'] === shelf!.id)
      const hidden = books.find((row) => row['company_id'] === scene.companies[1])!
      const seen = books.filter((row) => row !== hidden).map((row) => row.id)
      return { shelf: shelf!.id, hidden, seen }
    }

    const write = (agent: Agent, shelf: number, book_ids: unknown) =>
      agent.rpc('library.shelf', 'write', [[shelf], { book_ids }])

    test('treat a hidden record as not linked', async () => {
      const { agent } = scene.players.librarian
      const { shelf, hidden } = await sharedShelf()
      for (const command of [
        [1, hidden.id, { pages: 1 }],
        [2, hidden.id],
      ]) {
        const [linked, absent] = [
          await write(agent, shelf, [command]),
          await write(agent, shelf, [[command[0], ABSENT, ...command.slice(2)]]),
        ]
        expect(codeOf(linked)).toBe('VALIDATION')
        expect(JSON.stringify(linked).replaceAll(String(hidden.id), '#')).toBe(
          JSON.stringify(absent).replaceAll(String(ABSENT), '#'),
        )
      }
      expect(codeOf(await write(agent, shelf, [[3, hidden.id]]))).toBe('OK')
      expect((await sharedShelf()).hidden['shelf_id']).toBe(shelf)
    })

    test.each([
      ['clearing the list', () => [[5]]],
      ['setting the list to what was seen', (seen: readonly number[]) => [...seen]],
      ['replacing the list', (seen: readonly number[]) => [[6, 0, seen.slice(0, 1)]]],
    ])('leave hidden records linked: %s', async (_name, commands) => {
      const { agent } = scene.players.librarian
      const { shelf, hidden, seen } = await sharedShelf()
      expect(codeOf(await write(agent, shelf, commands(seen)))).toBe('OK')
      const after = (await rawRows(host, 'library.book')).find((row) => row.id === hidden.id)
      expect(after).toEqual(hidden)
      expect(codeOf(await write(agent, shelf, seen))).toBe('OK')
    })

    test('leave hidden records of a link table linked', async () => {
      const { agent } = scene.players.librarian
      const [author] = await rawRows(host, 'library.author')
      const linked = async () => {
        const { rows } = await sql<{ source_id: number }>`select source_id from library_book_co_author_ids_rel
          where target_id = ${author!.id} order by 1`.execute(host.database.db)
        return rows.map((row) => row.source_id)
      }
      const before = await linked()
      const [shown] = await agent.must<{ co_book_ids: number[] }[]>('library.author', 'read', [
        [author!.id],
        ['co_book_ids'],
      ])
      expect(shown!.co_book_ids.length).toBeLessThan(before.length)
      expect(
        codeOf(await agent.rpc('library.author', 'write', [[author!.id], { co_book_ids: shown!.co_book_ids }])),
      ).toBe('OK')
      expect(await linked()).toEqual(before)
      expect(codeOf(await agent.rpc('library.author', 'write', [[author!.id], { co_book_ids: [] }]))).toBe('OK')
      expect(await linked()).toEqual(before.filter((id) => !shown!.co_book_ids.includes(id)))
      expect(
        codeOf(await agent.rpc('library.author', 'write', [[author!.id], { co_book_ids: shown!.co_book_ids }])),
      ).toBe('OK')
    })
  })

  describe('whether a record exists', () => {
    type Probe = (id: number) => readonly [method: string, args: readonly unknown[], kwargs?: object]

    const PROBES: readonly Probe[] = [
      (id) => ['read', [[id]]],
      (id) => ['write', [[id], {}]],
      (id) => ['write', [[id], {}], { base_version: { [id]: 1 } }],
      (id) => ['unlink', [[id]]],
      (id) => ['call', [id, 'action_revoke']],
      (id) => ['onchange', [{}, []], { id }],
    ]
    const answerOf = async (agent: Agent, model: string, probe: Probe, id: number) => {
      const [method, args, kwargs = {}] = probe(id)
      return JSON.stringify(await agent.rpc(model, method, args, { ...kwargs })).replaceAll(String(id), '#')
    }

    // A usual run tries every fifth pair of model and probe, so that every model and every probe has its turn; a soak tries all.
    test.each(['colleague', 'depositor', 'stranger'] as const)(
      'is not told to the %s, who may not read the model',
      async (role) => {
        const { agent, ...person } = scene.players[role]
        const pairs = MODELS.filter((name) => !may(person, name, 'read')).flatMap((model) =>
          PROBES.map((probe) => ({ model, probe })),
        )
        for (const { model, probe } of eachNth(pairs, 5, ROLES.indexOf(role) % 5)) {
          const [row] = await rawRows(host, model)
          if (!row) continue
          const absent = await answerOf(agent, model, probe, ABSENT)
          expect(absent).toContain('ACCESS_DENIED')
          // The depositor may really write tags and authors, so only records that are not there are asked for.
          if (!may(person, model, 'write')) expect(await answerOf(agent, model, probe, row.id)).toBe(absent)
          expect(await answerOf(agent, model, probe, BEYOND)).toBe(absent)
        }
      },
    )

    test('is NOT_FOUND or ACCESS_DENIED to those who may read the model', async () => {
      const { agent, ...person } = scene.players.librarian
      const hidden = (await rawRows(host, 'library.book')).find(
        (row) => !mayTouch(person, 'library.book', 'read', row),
      )!
      for (const [method, args] of [
        ['read', [[0]]],
        ['write', [[0], {}]],
        ['unlink', [[0]]],
      ] as const) {
        const swap = (id: number) => args.map((part) => (Array.isArray(part) ? [id] : part))
        expect(codeOf(await agent.rpc('library.book', method, swap(hidden.id)))).toBe('ACCESS_DENIED')
        for (const id of [ABSENT, 0, -1, 2 ** 31, 2 ** 53 - 1]) {
          expect(codeOf(await agent.rpc('library.book', method, swap(id)))).toBe('NOT_FOUND')
        }
      }
    })
  })
})
