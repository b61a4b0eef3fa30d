import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { describeHosts } from '../support/hosts.ts'

const PATH = '/web/settings/app-logs'
const PAGE = { accept: 'text/html' }

interface Answer {
  readonly rows: readonly { readonly id: number; readonly message: string; readonly level: string }[]
  readonly cursor: number
  readonly before: number | null
}

describeHosts('GET /web/settings/app-logs', (host) => {
  const write = (level: string, message: string, requestId: string | null = null, details = '{}') =>
    sql`insert into sys_log (level, source, message, request_id, details, create_date)
      values (${level}, 'test', ${message}, ${requestId}, ${details}::jsonb, now())`.execute(host.database.db)

  const ask = async (query = '') => {
    const admin = await host.signIn('admin')
    const response = await admin.get(`${PATH}${query}`, { accept: 'application/json' })
    return { status: response.status, ...((await response.json()) as Answer) }
  }
  const messages = async (query: string) => (await ask(query)).rows.map(({ message }) => message)

  beforeAll(async () => {
    await sql`delete from sys_log`.execute(host.database.db)
    await write('debug', 'a detail')
    await write('info', 'POST /api/rpc 403 2 ms', 'req-1')
    await write('warning', 'Slow query', 'req-1')
    await write('error', 'It broke', 'req-2', '{"code":"INTERNAL","stack":"Error: It broke\\n    at handle"}')
  })

  test('is for administrators', async () => {
    const demo = await host.signIn('demo')
    expect((await demo.get(PATH, PAGE)).status).toBe(403)
    expect((await demo.get(PATH, { accept: 'application/json' })).status).toBe(403)
    const anonymous = await host.anonymous().get(PATH, PAGE)
    expect([anonymous.status, anonymous.headers.get('location')]).toEqual([
      303,
      `/web/login?next=${encodeURIComponent(PATH)}`,
    ])
    expect((await host.anonymous().get(PATH, { accept: 'application/json' })).status).toBe(401)
    const key = await host.apiKey('admin')
    expect((await key.get(PATH, { accept: 'application/json' })).status).toBe(401)
    const admin = await host.signIn('admin')
    expect((await admin.get(PATH, { accept: 'application/json', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test('shows the newest entries first, with their details', async () => {
    expect(await messages('')).toEqual(['It broke', 'Slow query', 'POST /api/rpc 403 2 ms', 'a detail'])
    expect((await ask()).rows[0]).toMatchObject({
      level: 'error',
      request_id: 'req-2',
      details: { code: 'INTERNAL', stack: 'Error: It broke\n    at handle' },
    })
  })

  test('filters by level and above, by text and by request', async () => {
    expect(await messages('?level=warning')).toEqual(['It broke', 'Slow query'])
    expect(await messages('?level=error')).toEqual(['It broke'])
    expect(await messages('?q=QUERY')).toEqual(['Slow query'])
    expect(await messages('?q=100%25')).toEqual([])
    expect(await messages('?request=req-1')).toEqual(['Slow query', 'POST /api/rpc 403 2 ms'])
    expect(await messages('?level=&q=&request=&before=&after=')).toHaveLength(4)
  })

  test.each(['?level=fatal', '?before=x', '?after=-1', '?before=1.5', `?q=${'x'.repeat(201)}`, '?after=1&after=2'])(
    '%s is refused',
    async (query) => {
      expect((await ask(query)).status).toBe(400)
    },
  )

  test('returns the entries since a cursor, and the next cursor', async () => {
    const { cursor } = await ask()
    expect(await ask(`?after=${cursor}`)).toMatchObject({ rows: [], cursor })
    await write('info', 'first')
    await write('info', 'second')
    const later = await ask(`?after=${cursor}`)
    expect(later.rows.map(({ message }) => message)).toEqual(['second', 'first'])
    expect(later.cursor).toBe(later.rows[0]!.id)
    expect((await ask(`?after=${later.cursor}`)).rows).toEqual([])
  })

  test('returns every entry of a flood, both to readers who follow it and to those who page back', async () => {
    const { cursor } = await ask()
    await sql`insert into sys_log (level, source, message, create_date)
      select 'info', 'flood', 'flood ' || n, now() from generate_series(1, 250) n`.execute(host.database.db)
    const seen: string[] = []
    for (let after = cursor; ; ) {
      const later = await ask(`?after=${after}`)
      if (later.rows.length === 0) break
      seen.push(...later.rows.map(({ message }) => message).reverse())
      after = later.cursor
    }
    const expected = Array.from({ length: 250 }, (_, i) => `flood ${i + 1}`)
    expect(seen).toEqual(expected)
    const back: string[] = []
    for (let before: number | null | undefined; before !== null; ) {
      const list: Answer = await ask(`?q=flood${before === undefined ? '' : `&before=${before}`}`)
      back.push(...list.rows.map(({ message }) => message))
      before = list.before
    }
    expect(back).toEqual(expected.toReversed())
  })

  test('contains no text of an entry or a filter in its page, whose policy allows only its own scripts', async () => {
    const evil = '</pre></li><script>alert(1)</script><img src=x onerror=alert(2)>"\'&'
    await write('error', evil, '"><script>alert(3)</script>', JSON.stringify({ [evil]: evil, stack: evil }))
    const admin = await host.signIn('admin')
    const response = await admin.get(`${PATH}?q=${encodeURIComponent(evil)}`, PAGE)
    const page = await response.text()
    expect(page).not.toContain('alert(')
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy')!)![1]
    const scripts = [...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([])
  })
})
