import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { readParam } from '../../kernel/param.ts'
import type { Agent } from '../support/agent.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'
import { describeHost } from '../support/hosts.ts'
import { reasonFlaw } from '../support/reasons.ts'
import { pick, randomOf } from '../support/seeded-random.ts'
import { isSoak, repeats } from '../support/soak.ts'
import { openTwoCompanies, type Role, twoCompanies } from '../support/two-companies.ts'
import { type AnsweredPage, CHANGING, fuzzedBody, READING, type RpcBody } from './rpc-grammar.ts'
import { CANARY, HOSTILE_NAMES, HOSTILE_VALUES, toText } from './rpc-mutation.ts'

/** How many are made by the grammar. */
const BODIES = repeats(1_000, 1_000_000)
/** Of the table of places below, some 11,000 bodies, one in so many is sent. */
const PLACES_STEP = isSoak ? 1 : 9
/** How many answered pages are remembered for their cursors. */
const PAGES = 200
/** Fewer than the test database has connections: who waits for one longer than a second is rightly answered with UNAVAILABLE. */
const AT_ONCE = 4
/** How many of the slowest bodies are measured once more, alone. */
const SLOWEST = 20

/** The error codes that a bad body may get, each with its status. */
const STATUS: Readonly<Record<string, number>> = {
  ...{ BAD_REQUEST: 400, ACCESS_DENIED: 403, NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405 },
  ...{ CONFLICT: 409, PAYLOAD_TOO_LARGE: 413, VALIDATION: 422 },
}

/** What an error must not tell: SQL, names of the database, files, stacks, values printed by accident. */
const LEAKS =
  /select |pg_|node_modules|at .*\.[jt]s|duplicate key|syntax error|violates|_pkey|_fkey|_rel\b|relation "|column "|\$\d+::|\[object|SQLSTATE|kysely/i

const CALLERS: readonly (Role | 'admin')[] = [
  'admin',
  'admin',
  'librarian',
  'librarian',
  'reader',
  'outsider',
  'colleague',
]

interface Flaw {
  readonly seed: number
  readonly flaw: string
  readonly body: string
  readonly answer: string
  readonly cause: string
}

/** What is wrong with an answer; undefined when nothing is. */
function flawOf(status: number, text: string): string | undefined {
  let envelope: unknown
  try {
    envelope = JSON.parse(text)
  } catch {
    return 'is no JSON'
  }
  if (typeof envelope !== 'object' || envelope === null) return 'is no envelope'
  const { ok, result, error, ...rest } = envelope as Readonly<Record<string, unknown>>
  if (Object.keys(rest).length > 0) return 'has unknown keys'
  if (status === 200) return ok === true && error === null && result !== undefined ? undefined : 'is no success'
  if (ok !== false || result !== null || typeof error !== 'object' || error === null) return 'is no failure'
  const { code, message, details, ...more } = error as Readonly<Record<string, unknown>>
  if (STATUS[String(code)] !== status) return `has status ${status} with ${String(code)}`
  if (Object.keys(more).length > 0 || typeof message !== 'string' || message === '') return 'has no proper error'
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return 'has no details'
  return LEAKS.test(text) ? 'tells too much' : reasonFlaw(code, details)
}

describeHost('generated bodies', { kind: 'process', template: twoCompanies }, (host) => {
  const agents: Agent[] = []
  beforeAll(async () => {
    const { players } = await openTwoCompanies(host)
    for (const caller of CALLERS) agents.push(caller === 'admin' ? await host.signIn('admin') : players[caller].agent)
  })

  const sent = new Set<string>()
  const pages: AnsweredPage[] = []
  /** How many answers a cursor of an earlier answer led to. */
  let followed = 0
  /** The bodies whose answers took longest, the slowest first. */
  let slowest: { readonly ms: number; readonly body: string; readonly agent: Agent }[] = []

  /** Sends many bodies and judges every answer and every statement. */
  async function bombard(count: number, bodyOf: (seed: number) => string): Promise<Flaw[]> {
    const flaws: Flaw[] = []
    let next = 0
    const work = async () => {
      for (let seed = next++; seed < count && flaws.length < 20; seed = next++) {
        const body = bodyOf(seed)
        const agent = pick(randomOf(seed), agents)
        const started = performance.now()
        const response = await agent.post(body)
        const answer = await response.text()
        const ms = performance.now() - started
        if (slowest.length < SLOWEST || ms > slowest.at(-1)!.ms)
          slowest = [...slowest, { ms, body, agent }].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)
        if (response.status === 200) noteCursor(JSON.parse(body), response.headers.get('x-next-cursor'))
        const flaw = flawOf(response.status, answer)
        if (flaw)
          flaws.push({ seed, flaw, body: body.slice(0, 2_000), answer: answer.slice(0, 1_000), cause: lastFailure() })
        if (seed % 1_000 === 0) noteStatements()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    noteStatements()
    return flaws
  }

  function noteCursor(sentBody: RpcBody & { readonly params?: RpcBody }, cursor: string | null): void {
    const body = sentBody.params ?? sentBody
    if (body.kwargs?.['cursor'] !== undefined) followed++
    if (cursor !== null)
      pages[pages.length < PAGES ? pages.length : Math.floor(Math.random() * PAGES)] = { body, cursor }
  }

  function noteStatements(): void {
    if (host.kind === 'workerd') return
    for (const text of host.database.statements) sent.add(text)
    host.database.statements.length = 0
    host.observed.length = 0
  }

  /** A sum over every table except those that note when a session was last used, and its user last seen. */
  async function contents(): Promise<Record<string, string | null>> {
    const { db } = host.database
    const tables = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = 'public' and tablename not in ('sys_session', 'sys_credential') order by 1`.execute(db)
    const sums: Record<string, string | null> = {}
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ sum: string | null }>`
        select md5(string_agg(t::text, '' order by t::text)) as sum from ${sql.table(name)} as t`.execute(db)
      sums[name] = rows[0]!.sum
    }
    return sums
  }

  const lastFailure = () => {
    if (host.kind === 'workerd') return ''
    const failure = host.observed.findLast((entry) => entry.kind === 'failure')
    return failure?.kind === 'failure' && failure.error instanceof Error ? `${failure.error.stack}` : ''
  }

  describe('never get more than a refusal', () => {
    test('when they read, and change nothing', async () => {
      // A worker writes down which secret the database has, beside its first answers.
      if (host.kind === 'workerd') {
        await agents[0]!.post('{}')
        await expect.poll(() => readParam(host.database.db, 'secret_check', null)).not.toBeNull()
      }
      const before = await contents()
      expect(await bombard(BODIES / 2, (seed) => fuzzedBody(seed, READING, pages))).toEqual([])
      expect(followed).toBeGreaterThan(5)
      noteStatements()
      expect(await contents()).toEqual(before)
    })

    test('when they change', async () => {
      expect(await bombard(BODIES / 2, (seed) => fuzzedBody(1e9 + seed, CHANGING))).toEqual([])
    })

    test('with hostile values in every place of a call', async () => {
      const places: readonly ((value: string) => string)[] = [
        (value) => value,
        (value) => `{"params":${value}}`,
        (value) => `{"model":${value},"method":"search","args":[]}`,
        (value) => `{"model":"core.partner","method":${value},"args":[]}`,
        (value) => `{"model":"core.partner","method":"search","args":${value}}`,
        (value) => `{"model":"core.partner","method":"search","args":[],"kwargs":${value}}`,
        (value) => `{"model":"core.partner","method":"search","args":[${value}]}`,
        (value) => `{"model":"core.partner","method":"search","args":[[${value}]]}`,
        (value) => `{"model":"core.partner","method":"search","args":[[[${value},"=",1]]]}`,
        (value) => `{"model":"core.partner","method":"search","args":[[["name",${value},1]]]}`,
        ...['name', 'id', 'is_company', 'country_id', 'child_ids', 'latitude', 'create_date', 'note', 'image'].flatMap(
          (name) =>
            ['=', 'in', 'ilike', '<', 'child_of', 'any'].map(
              (operator) => (value: string) =>
                `{"model":"core.partner","method":"search","args":[[["${name}","${operator}",${value}]]],"kwargs":{"limit":1}}`,
            ),
        ),
        ...['limit', 'offset', 'order', 'archived', 'cursor', 'lang', 'tz'].map(
          (name) => (value: string) =>
            `{"model":"core.partner","method":"search","args":[],"kwargs":{"${name}":${value}}}`,
        ),
        (value) => `{"model":"core.partner","method":"search_read","args":[[],[${value}]]}`,
        (value) => `{"model":"core.partner","method":"read","args":[[${value}]]}`,
        (value) => `{"model":"core.partner","method":"read_group","args":[{"groupby":[${value}]}]}`,
        (value) =>
          `{"model":"core.partner","method":"read_group","args":[{"fields":[{"name":${value},"field":"id","measure":"count"}]}]}`,
        (value) =>
          `{"model":"core.partner","method":"read_group","args":[{"fields":[{"name":"n","field":${value},"measure":"count"}]}]}`,
        (value) =>
          `{"model":"core.partner","method":"read_group","args":[{"fields":[{"name":"n","field":"id","measure":${value}}]}]}`,
        (value) =>
          `{"model":"core.partner","method":"read_group","args":[{}],"kwargs":{"having":[["__count",">",${value}]]}}`,
        (value) =>
          `{"model":"core.partner","method":"read_group","args":[{"groupby":["name"]}],"kwargs":{"order":${value}}}`,
        (value) => `{"model":"core.partner","method":"read_group","args":[{}],"kwargs":{"week_start":${value}}}`,
        (value) => `{"model":"library.book","method":"call","args":[${value},"action_lend"]}`,
        (value) => `{"model":"library.book","method":"call","args":[1,${value}]}`,
        (value) => `{"model":"library.book","method":"call","args":[1,"action_lend",${value}]}`,
        (value) => `{"model":"library.book","method":"call","args":[1,"action_lend",{"borrower_id":${value}}]}`,
        (value) => `{"model":"library.book","method":"write","args":[[1],${value}]}`,
        (value) => `{"model":"library.book","method":"write","args":[[1],{}],"kwargs":{"base_version":${value}}}`,
        (value) => `{"model":"library.book","method":"write","args":[[1],{}],"kwargs":{"base_version":{"1":${value}}}}`,
        (value) => `{"model":"library.book","method":"onchange","args":[{},${value}]}`,
        (value) => `{"model":"library.book","method":"onchange","args":[{},[],${value}]}`,
        (value) => `{"model":"library.book","method":"onchange","args":[{},[]],"kwargs":{"id":${value}}}`,
        (value) => `{"model":"library.book","method":"create_many","args":[[${value}]]}`,
        (value) => `{"model":"library.book","method":"unlink","args":[[${value}]]}`,
      ]
      const values = HOSTILE_VALUES.map(toText)
      const bodies = places.flatMap((place) => values.map(place))
      expect(bodies.length).toBeGreaterThan(10_000)
      const chosen = bodies.filter((_, i) => i % PLACES_STEP === 0)
      expect(await bombard(chosen.length, (seed) => chosen[seed]!)).toEqual([])
    })
  })

  test('do not block other callers: even the slowest need little CPU', async () => {
    expect(slowest).toHaveLength(SLOWEST)
    for (const { body, agent } of slowest)
      await expectCpuBelow(100, async () => (await agent.post(body)).text(), body.slice(0, 2_000))
  })

  describe('cost little where they are small', () => {
    const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
    const search = (domain: unknown[], kwargs = {}): RpcBody => ({
      model: 'core.partner',
      method: 'search',
      args: [domain],
      kwargs,
    })
    const LINKS = ['parent_id', 'country_id', 'user_id', 'create_uid', 'write_uid', 'company_id']
    const circle = (values: object): RpcBody => ({
      model: 'library.shelf',
      method: 'onchange',
      args: [values, []],
      kwargs: { id: 1 },
    })
    const turns = (i: number) => times(12, (bit) => ((i >> bit) & 1 ? 'create_uid' : 'write_uid')).join('.')

    /** Each of them once took the planner more than a second, or the process its stack. */
    const COSTLY: Readonly<Record<string, RpcBody>> = {
      'a hundred conditions over relations': search(times(100, (i) => [`${LINKS[i % 6]}.name`, '=', 'x'])),
      'a hundred paths of sixteen steps': search(times(100, () => [`${'parent_id.'.repeat(15)}name`, '!=', 'x'])),
      'a hundred ways down a tree': search(times(100, () => ['parent_id', 'child_of', [1, 2, 3]])),
      'a hundred lists of lists': search(times(100, () => ['child_ids.child_ids.child_ids.name', '!=', 'x'])),
      'an order that goes on and on': search([], { order: times(200, () => 'id').join() }),
      'measures at the ends of many paths': {
        model: 'core.partner',
        method: 'read_group',
        args: [{ fields: times(200, (i) => ({ name: `n${i}`, field: turns(i), measure: 'count' })) }],
      },
      'a record that is its own child': circle({ child_ids: [1, 2, 3] }),
      'records that are each other’s children': circle({
        child_ids: [2, 3].flatMap((id) => [
          [4, id],
          [1, id, { child_ids: [1, 2, 3].filter((other) => other !== id) }],
        ]),
      }),
    }

    /** The shortest of a few tries, so that what else the machine does counts little. */
    const shortestMs = async (body: RpcBody): Promise<number> => {
      const tries: number[] = []
      for (const _ of times(3, String)) {
        const started = performance.now()
        const response = await agents[0]!.post(JSON.stringify(body))
        expect(flawOf(response.status, await response.text())).toBeUndefined()
        tries.push(performance.now() - started)
      }
      return Math.min(...tries)
    }

    test.each(Object.keys(COSTLY))('%s', async (name) => {
      const plain = await shortestMs(search([], { limit: 1 }))
      expect((await shortestMs(COSTLY[name]!)) / plain).toBeLessThan(500)
    })
  })

  test('never become part of the text of a statement', () => {
    expect(sent.size).toBeGreaterThan(100)
    expect([...sent].filter((text) => text.toLowerCase().includes(CANARY))).toEqual([])
  })

  test('do not increase the number of prepared statements: their text depends on the shape of a call only', async () => {
    const shapes: readonly ((i: number) => object)[] = [
      (i) => ({
        model: 'core.partner',
        method: 'search_read',
        args: [[['name', 'ilike', `x${i}`]], ['name']],
        kwargs: { limit: i, offset: i },
      }),
      (i) => ({
        model: 'core.partner',
        method: 'search',
        args: [[['id', 'in', Array.from({ length: i + 1 }, (_, n) => n)]]],
      }),
      (i) => ({
        model: 'core.partner',
        method: 'search',
        args: [[['country_id.name', '=', `x${i}`]]],
        kwargs: { tz: i % 2 ? 'UTC' : 'Asia/Tokyo' },
      }),
      (i) => ({ model: 'core.partner', method: 'read', args: [Array.from({ length: 1 + (i % 5) }, () => 1)] }),
      (i) => ({
        model: 'core.partner',
        method: 'read_group',
        args: [{ fields: [{ name: `n${i}`, field: 'id', measure: 'count' }] }],
        kwargs: { having: [[`n${i}`, '>', i]] },
      }),
      (i) => ({
        model: 'library.loan',
        method: 'read_group',
        args: [{ groupby: ['date_loan:month'] }],
        kwargs: { week_start: 1 + (i % 7) },
      }),
      (i) => ({ model: 'core.partner', method: 'create', args: [{ name: `x${i}`, ref: `r${i}` }] }),
      (i) => ({
        model: 'core.partner',
        method: 'create_many',
        args: [Array.from({ length: i + 1 }, () => ({ name: `y${i}` }))],
      }),
      (i) => ({ model: 'core.partner', method: 'write', args: [[1, 2, 3].slice(0, 1 + (i % 3)), { ref: `r${i}` }] }),
      (i) => ({ model: 'core.partner', method: 'onchange', args: [{ name: `x${i}` }, 'name'] }),
      (i) => ({ model: 'core.partner', method: 'search', args: [], kwargs: { order: 'name', limit: 1 + i } }),
      (i) => ({ model: `zqx${i}`, method: `zqx${i}`, args: [i] }),
    ]
    const admin = agents[0]!
    for (const shape of shapes) {
      const texts = async (i: number) => {
        host.database.statements.length = 0
        await admin.send(shape(i))
        return [...new Set(host.database.statements)].sort()
      }
      const first = [...(await texts(2)), ...(await texts(3))]
      for (let i = 4; i < 20; i++) expect(first).toEqual(expect.arrayContaining(await texts(i)))
    }
  })

  test('pollute no prototype', () => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(
      [
        ...['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__', '__proto__', 'constructor'],
        ...['hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable', 'toLocaleString', 'toString', 'valueOf'],
      ].sort(),
    )
    expect(Object.keys(Array.prototype)).toEqual([])
    expect(HOSTILE_NAMES).toContain('__proto__')
    expect(({} as Record<string, unknown>)['limit']).toBeUndefined()
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})
