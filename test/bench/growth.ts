import { execFileSync } from 'node:child_process'
import { withClient } from '../support/own-postgres.ts'
import { addPartners, skipTo } from './prepare.ts'
import { postgresTime } from './processor-time.ts'
import { PARTNERS } from './scenario.ts'
import { CLI } from './service.ts'

/** How many partners there are in the end. */
const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000_000)
/** Calls of each kind, and the time after which no further one is made. */
const CALLS = 50
const PATIENCE_MS = 20_000
const INSERTED_AT_ONCE = 1_000_000
/** Reasons of calls that were stopped by their time limit, or refused before they began. */
const STOPPED = /"reason":"(timed_out|order_too_costly)"/

interface Place {
  readonly env: NodeJS.ProcessEnv
  readonly port: number
  readonly dsn: string
  readonly key: string
  /** Token of a session. */
  readonly session: string
  readonly postgresPid: number
}

/** What a user or an integration waits for. */
interface Work {
  readonly name: string
  send(n: number): Promise<Response>
  /** Called only once, since it reads all records. */
  readonly isWhole?: boolean
}

interface Figure {
  /** The median of a call, and PostgreSQL's part of the processor time. */
  readonly ms: number
  readonly sqlMs: number
}

/** The same calls, one at a time, over 100,000 partners and over very many of them. */
export async function benchGrowth(place: Place): Promise<void> {
  // Records created meanwhile get ids above those of all partners to be added.
  await withClient(place.dsn, (client) => skipTo(client, ROWS))
  const small = await measureAll(place, PARTNERS)
  const seconds = await grow(place)
  console.log(`\n${ROWS} partners: rows in ${seconds.rows.toFixed(0)} s, indexes in ${seconds.indexes.toFixed(0)} s\n`)
  const large = await measureAll(place, ROWS)
  console.log(line('', String(PARTNERS), 'sql', String(ROWS), 'sql', 'growth'))
  for (const [name, before] of small) {
    const after = large.get(name)!
    const figures = [before, after].flatMap(({ ms, sqlMs }) => [ms.toFixed(1), sqlMs.toFixed(1)])
    console.log(line(name, ...figures, `${(after.ms / before.ms).toFixed(2)}×`))
  }
}

async function measureAll(place: Place, rows: number): Promise<ReadonlyMap<string, Figure>> {
  const figures = new Map<string, Figure>()
  for (const work of await worksOf(place, rows)) {
    figures.set(work.name, await measure(place, work))
    console.error(`${rows} ${work.name}: ${figures.get(work.name)!.ms.toFixed(1)} ms`)
  }
  return figures
}

async function measure({ postgresPid }: Place, { send, isWhole = false }: Work): Promise<Figure> {
  const timed = async (n: number): Promise<number> => {
    const start = performance.now()
    const response = await send(n)
    if (response.ok) for await (const _chunk of response.body!);
    else await requireStopped(response)
    return performance.now() - start
  }
  if (!isWhole) for (let n = 0; n < 5; n++) await timed(n)
  const sqlBefore = postgresTime(postgresPid)
  const times: number[] = []
  const end = performance.now() + PATIENCE_MS
  while (times.length < (isWhole ? 1 : CALLS) && performance.now() < end) times.push(await timed(5 + times.length))
  return {
    ms: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!,
    sqlMs: (postgresTime(postgresPid) - sqlBefore) / times.length,
  }
}

/** A call that takes too long, or is refused because it would, is measured too; any other refusal is a fault of the benchmark. */
async function requireStopped(response: Response): Promise<void> {
  const told = `${response.status}: ${(await response.text()).slice(0, 300)}`
  if (!STOPPED.test(told)) throw new Error(told)
  console.error(`stopped: ${told}`)
}

const FIELDS = ['name', 'ref', 'email', 'phone', 'city', 'country_id', 'user_id', 'active']

async function worksOf({ port, key, session }: Place, rows: number): Promise<readonly Work[]> {
  const origin = `http://127.0.0.1:${port}`
  const rpc = (method: string, args: readonly unknown[], kwargs = {}) =>
    fetch(`${origin}/api/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ model: 'core.partner', method, args, kwargs }),
    })
  const get = (path: string, query: Readonly<Record<string, string>>) =>
    fetch(`${origin}${path}?${new URLSearchParams({ model: 'core.partner', ...query })}`, {
      headers: { cookie: `svc_session=${session}` },
    })
  const list = (query: Readonly<Record<string, string>> = {}) =>
    get('/web/wc/workspace', { view_type: 'list', ...query })
  const count = (domain: unknown) => rpc('read_group', [{ domain, groupby: [], fields: [] }])
  const page = { limit: 80, order: 'name' }
  const middle = await rpc('search_read', [[['name', '>', `Partner ${rows / 2}`]], FIELDS], page)
  const cursor = middle.headers.get('x-next-cursor')
  await middle.arrayBuffer()
  const cities = { limit: 80, order: 'city desc' }
  const firstCities = await rpc('search_read', [[], ['city']], cities)
  const inCities = firstCities.headers.get('x-next-cursor')
  await firstCities.arrayBuffer()
  const some = (n: number) => 1_000 + ((n * 7_919) % (rows - 1))
  return [
    { name: 'list, first page', send: () => list() },
    { name: 'list, sorted by name down', send: () => list({ sort: '-name' }) },
    { name: 'list, sorted by city', send: () => list({ sort: 'city' }) },
    { name: 'list, sorted by city down', send: () => list({ sort: '-city' }) },
    { name: 'list, sorted by country', send: () => list({ sort: 'country_id' }) },
    { name: 'list, sorted by salesperson', send: () => list({ sort: '-user_id' }) },
    { name: 'list, sorted by company', send: () => list({ sort: 'parent_id' }) },
    { name: 'list, sorted and searched', send: () => list({ sort: '-city', q: 'example' }) },
    { name: 'list, offset 50,000', send: () => list({ offset: '50000' }) },
    { name: 'search_read, next by cursor', send: () => rpc('search_read', [[], FIELDS], { ...page, cursor }) },
    {
      name: 'search_read, next by city',
      send: () => rpc('search_read', [[], FIELDS], { ...cities, cursor: inCities }),
    },
    { name: 'list, search of one', send: (n) => list({ q: `p${some(n)}@example` }) },
    { name: 'list, search of all', send: () => list({ q: 'example' }) },
    { name: 'list, search of none', send: (n) => list({ q: `nobody ${n}` }) },
    { name: 'exact total', send: () => count([]) },
    { name: 'total of a filter', send: () => count([['is_company', '=', true]]) },
    { name: 'groups by country', send: () => rpc('read_group', [{ domain: [], groupby: ['country_id'], fields: [] }]) },
    { name: 'read one', send: (n) => rpc('read', [[some(n)], FIELDS]) },
    { name: 'create', send: (n) => rpc('create', [{ name: `New ${n}`, city: 'City 7' }]) },
    { name: 'write', send: (n) => rpc('write', [[some(n)], { city: `Moved ${n}` }]) },
    {
      name: 'export of all as csv',
      isWhole: true,
      send: () => get('/web/export/csv', { fields: 'name,email,city,country_id', order: 'id' }),
    },
  ]
}

/** Adds the missing partners without indexes, as a bulk load does; then the service builds the indexes, as after an upgrade. */
async function grow({ dsn, env }: Place): Promise<{ readonly rows: number; readonly indexes: number }> {
  return withClient(dsn, async (client) => {
    await client.query('set statement_timeout = 0')
    const { rows: indexes } = await client.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index where indrelid = 'core_partner'::regclass and not indisunique`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    const start = performance.now()
    for (let from = PARTNERS; from < ROWS; from += INSERTED_AT_ONCE)
      await addPartners(client, from, Math.min(from + INSERTED_AT_ONCE, ROWS))
    const filled = performance.now()
    execFileSync(process.execPath, [CLI, 'migrate'], { env, stdio: 'inherit' })
    const built = performance.now()
    await client.query('vacuum analyze core_partner')
    return { rows: (filled - start) / 1_000, indexes: (built - filled) / 1_000 }
  })
}

const line = (first: string, ...cells: readonly string[]) =>
  first.padEnd(30) + cells.map((cell) => cell.padStart(12)).join('')
