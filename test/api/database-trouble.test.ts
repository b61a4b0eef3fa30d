import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { generateApiKey } from '../../kernel/auth/api-key.ts'
import { serveAll } from '../../runtime/app.ts'
import { createRandom } from '../../runtime/random.ts'
import { Agent } from '../support/agent.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { describeHost } from '../support/hosts.ts'
import { openModules } from '../support/modules.ts'
import { type Front, ORIGIN, openWorker } from '../support/worker.ts'

const search = { model: 'core.country', method: 'search', args: [], kwargs: { limit: 1 } }
const create = { model: 'core.tag', method: 'create', args: [{ name: 'x' }] }

/** Ends every connection and lets nobody in, as a server does that restarts. */
async function shut({ name }: TestDatabase, isOpen: boolean): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('adminDsn') })
  await admin.connect()
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isOpen}`)
  if (!isOpen) await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  await admin.end()
}

describeHost('a database that goes away', 'process', (host) => {
  test('answers 503 with Retry-After; the service stays alive and recovers by itself', async () => {
    const admin = await host.apiKey('admin')
    expect(await admin.send(search)).toMatchObject({ status: 200 })
    await shut(host.database, false)
    for (const body of [search, create, search]) {
      const away = await admin.send(body)
      expect(away).toMatchObject({ status: 503, ok: false, error: { code: 'UNAVAILABLE' } })
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(JSON.stringify(away.error)).not.toMatch(/connection|terminat|pg_|ECONN/i)
    }
    expect((await admin.get('/api/health')).status).toBe(200)
    await expect.poll(async () => (await admin.get('/api/ready')).status).toBe(503)
    await shut(host.database, true)
    expect(await admin.send(search)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await admin.get('/api/ready')).status).toBe(200)
  })

  test('a pool that has as many callers waiting as it may answers 503 at once', async () => {
    const admin = await host.apiKey('admin')
    const { db } = host.database
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held: Promise<void>[] = []
    const hold = () =>
      new Promise<void>((acquired) => {
        const work = async () => {
          acquired()
          await released
        }
        held.push(db.connection().execute(work))
      })
    try {
      await Promise.all(Array.from({ length: 5 }, hold))
      // Four callers may wait for each connection.
      for (let waiting = 0; waiting < 4 * 5; waiting++) void hold()
      expect(await admin.send(search)).toMatchObject({
        status: 503,
        error: { code: 'UNAVAILABLE', details: { reason: 'busy' } },
      })
    } finally {
      release()
      await Promise.all(held)
    }
    expect(await admin.send(search)).toMatchObject({ status: 200 })
  })
})

describeHost(
  'a service that may still be set up, without its database',
  'process',
  (host) => {
    test('reports requests under their routes, also those that are refused before a route is looked for', async () => {
      await shut(host.database, false)
      host.observed.length = 0
      for (const path of ['/web/home', '/web/static/x.js', '/setup', '/web/nothing/at/all'])
        await host.fetch(path, { headers: { accept: 'text/html' } })
      await shut(host.database, true)
      const requests = host.observed.filter((observation) => observation.kind === 'request')
      expect(requests.map(({ path, status }) => [path, status])).toEqual([
        ['/web/home', 503],
        ['/web/static/:file', 404],
        ['/setup', 503],
        ['unmatched', 503],
      ])
    })
  },
  { setup: { token: 'token', isLocal: true } },
)

const HOSTS: Readonly<
  Record<'process' | 'workerd', (database: TestDatabase) => Promise<Pick<Front, 'fetch' | 'close'>>>
> = {
  async process({ db }) {
    const app = serveAll(openModules(db, []).services)
    return { fetch: (path, init) => app.fetch(new Request(ORIGIN + path, init)), close: async () => {} }
  },
  workerd: ({ dsn }) => openWorker(dsn, {}),
}

test.each(['process', 'workerd'] as const)(
  'a database without any module answers callers with a credential with 503, and others with 401 [%s]',
  async (kind) => {
    const database = await createDatabase()
    const { fetch, close } = await HOSTS[kind](database)
    const anonymous = new Agent(fetch, {})
    expect(await anonymous.send(search)).toMatchObject({ status: 401 })
    const key = generateApiKey(createRandom())
    expect(await anonymous.send(search, { 'x-api-key': key })).toMatchObject({
      status: 503,
      error: { code: 'UNAVAILABLE' },
    })
    expect((await anonymous.get('/api/ready')).status).toBe(200)
    await close()
    await database.drop()
  },
)
