import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost, describeHosts } from '../support/hosts.ts'
import { multiply } from '../support/multiply.ts'
import { PIXEL } from '../support/pixel.ts'

const NOTE = 'n'.repeat(60_000)
/** Together they are just too large for one answer. */
const MANY = Math.ceil(LIMITS.answerBytes / NOTE.length)

describeHosts('the size of an answer', (host) => {
  let admin: Agent
  let ids: readonly number[]
  beforeAll(async () => {
    admin = await host.apiKey('admin')
    const notes = Array.from({ length: MANY }, (_, i) => ({ name: `Long ${i}`, note: NOTE }))
    ids = await host.modules.asSystem((env) => env.model('core.partner').createMany(notes))
  })

  const refusal = {
    ok: false,
    error: { code: 'BAD_REQUEST', message: expect.stringMatching(/16 MB.*limit.*fields/) },
  }
  const among = () => [['id', 'in', ids]]

  test(`answerBytes: ${LIMITS.answerBytes}, for every method that reads`, async () => {
    const domain = among()
    expect(await admin.rpc('core.partner', 'search_read', [domain, ['note']])).toMatchObject(refusal)
    expect(await admin.rpc('core.partner', 'search', [domain])).toMatchObject(refusal)
    expect(await admin.rpc('core.partner', 'read', [ids, ['note']])).toMatchObject(refusal)
  })

  test('fewer records or fewer fields fit, on the same connections', async () => {
    const domain = among()
    const few = await admin.must<unknown[]>('core.partner', 'search_read', [domain, ['note']], { limit: 10 })
    expect(few).toHaveLength(10)
    const short = await admin.must<unknown[]>('core.partner', 'search_read', [domain, ['name']])
    expect(short).toHaveLength(ids.length)
  })

  test('the size is counted as sent, also for values that are longer in JSON', async () => {
    const note = '\u0001'.repeat(60_000)
    const escaped = Array.from({ length: 50 }, (_, i) => ({ name: `Escaped ${i}`, note }))
    const grown = await host.modules.asSystem((env) => env.model('core.partner').createMany(escaped))
    expect(await admin.rpc('core.partner', 'read', [grown, ['note']])).toMatchObject(refusal)
  })

  test('an offset beyond the limit is refused with the advice to page with a cursor', async () => {
    const answer = await admin.rpc('core.partner', 'search_read', [[], []], { offset: LIMITS.offset + 1 })
    expect(answer.error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('cursor') })
  })
})

describeHost('300 images in one answer', 'process', (host) => {
  const IMAGE_BYTES = 400_000

  test('are refused with the clear error, without ever being in memory together', async () => {
    const admin = await host.apiKey('admin')
    const image = Buffer.concat([Buffer.from(PIXEL.png, 'base64'), Buffer.alloc(IMAGE_BYTES)]).toString('base64')
    const first = await host.modules.asSystem((env) => env.model('core.partner').create({ name: 'Seen', image }))
    const ids = [first, ...(await multiply(host.database, 'core_partner', first, 299))]
    const before = process.resourceUsage().maxRSS
    const answer = await admin.rpc('core.partner', 'search_read', [[['id', 'in', ids]], ['image']])
    const grown = (process.resourceUsage().maxRSS - before) * 1024
    expect(answer).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST', message: expect.stringMatching(/16 MB/) } })
    expect(grown).toBeLessThan(ids.length * IMAGE_BYTES)
    const few = await admin.must<{ image: string }[]>('core.partner', 'read', [ids.slice(0, 3), ['image']])
    expect(few.map((row) => row.image === image)).toEqual([true, true, true])
  })
})

describeHost('what a user may keep', 'process', (host) => {
  let demo: Agent
  beforeAll(async () => {
    demo = await host.apiKey('demo')
  })

  const outcome = async (model: string, values: Readonly<Record<string, unknown>>) =>
    (await demo.rpc(model, 'create', [values])).error?.code ?? 'OK'
  const text = (chars: number) => 'x'.repeat(chars - 2)

  test(`jsonChars: ${LIMITS.jsonChars}`, async () => {
    const filter = (chars: number) => ({ name: `f${chars}`, model: 'core.tag', context: { x: text(chars - 6) } })
    expect(await outcome('sys.filter', filter(LIMITS.jsonChars))).toBe('OK')
    expect(await outcome('sys.filter', filter(LIMITS.jsonChars + 1))).toBe('VALIDATION')
  })

  test(`preferenceChars: ${LIMITS.preferenceChars}`, async () => {
    expect(await outcome('sys.preference', { key: 'p', value: text(LIMITS.preferenceChars) })).toBe('OK')
    expect(await outcome('sys.preference', { key: 'q', value: text(LIMITS.preferenceChars + 1) })).toBe('VALIDATION')
  })

  test(`pinnedApps: ${LIMITS.pinnedApps}, by the route and by a write`, async () => {
    const guest = await host.signIn('guest')
    const pin = async (count: number) => {
      const body = JSON.stringify({ apps: Array.from({ length: count }, () => 'base') })
      const init = { method: 'POST', body }
      return (await guest.fetch('/web/user/pinned-apps', init, { 'content-type': 'application/json' })).status
    }
    expect([await pin(LIMITS.pinnedApps), await pin(LIMITS.pinnedApps + 1)]).toEqual([200, 400])
    const [id] = await host.modules.asSystem((env) => env.model('core.user').search([['login', '=', 'guest']]))
    const pinned_apps = [text(LIMITS.preferenceChars)]
    expect(await guest.rpc('core.user', 'write', [[id], { pinned_apps }])).toMatchObject({
      error: { code: 'VALIDATION', details: { fields: { pinned_apps: expect.any(String) } } },
    })
  })

  test(`preferences: ${LIMITS.preferences}, filters: ${LIMITS.filters}`, async () => {
    const fill = async (model: string, most: number, make: (i: number) => object) => {
      const [{ __count = 0 } = {}] = await demo.must<{ __count?: number }[]>(model, 'read_group', [{}])
      const missing = Array.from({ length: most - __count }, (_, i) => make(i))
      await demo.must(model, 'create_many', [missing])
      return (await demo.rpc(model, 'create', [make(most)])).error
    }
    expect(await fill('sys.preference', LIMITS.preferences, (i) => ({ key: `k${i}` }))).toMatchObject({
      code: 'VALIDATION',
      message: expect.stringContaining(`${LIMITS.preferences}`),
    })
    expect(await fill('sys.filter', LIMITS.filters, (i) => ({ name: `n${i}`, model: 'core.tag' }))).toMatchObject({
      code: 'VALIDATION',
    })
  })

  test(`shellPreferenceBytes: ${LIMITS.shellPreferenceBytes}, the newest first`, async () => {
    const guest = await host.signIn('guest')
    const all = Array.from({ length: 10 }, (_, i) => ({ key: `wide ${i}`, value: text(LIMITS.preferenceChars) }))
    await guest.must('sys.preference', 'create_many', [all])
    const page = await (await guest.fetch('/web/home', {}, { accept: 'text/html' })).text()
    const shown = all.filter(({ key }) => page.includes(key)).map(({ key }) => key)
    expect(shown).toEqual(['wide 7', 'wide 8', 'wide 9'])
  })

  test(`revisions: ${LIMITS.revisions} of one record`, async () => {
    const id = await demo.must<number>('core.partner', 'create', [{ name: 'Often' }])
    for (let i = 0; i < LIMITS.revisions + 10; i++) {
      await host.modules.asSystem((env) => env.model('core.partner').write([id], { name: `Often ${i}` }))
    }
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from sys_revision
      where model = 'core.partner' and res_id = ${id}`.execute(host.database.db)
    expect(rows).toEqual([{ count: LIMITS.revisions }])
  })
})
