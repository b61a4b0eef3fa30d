import { expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { describeHosts, type Host, type OtherPorts } from '../support/hosts.ts'
import { cookieOf, givePassword, PASSWORD } from './sign-in-tools.ts'

const SESSION_HOURS = { idle: 2, absolute: 3 }
const TILES = 'https://tiles.example/{z}/{x}/{y}.png'

/** The settings of every host; for workerd `hosts.ts` turns them into bindings. */
const settings: OtherPorts = { sessionHours: SESSION_HOURS, mapTilesUrl: TILES }

function suite(host: Host): void {
  test('a session lasts as long as the settings say', async () => {
    await givePassword(host, 'demo')
    const filled = { login: 'demo', password: PASSWORD, remember: '1' }
    const answer = await host.anonymous().fill('/web/login', filled)
    expect(cookieOf(answer, 'svc_session')).toMatch(/; Max-Age=10800$/)
  })

  test('a session that was idle for longer has ended', async () => {
    const demo = await host.signIn('demo')
    const idle = (hours: number) =>
      sql`update sys_session set last_seen_at = now() - ${hours} * interval '1 hour'`.execute(host.database.db)
    await idle(1)
    expect(await demo.rpc('core.tag', 'search')).toMatchObject({ ok: true })
    await idle(2.5)
    expect(await demo.rpc('core.tag', 'search')).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test('pages may load the tiles of the map from where the settings say', async () => {
    const demo = await host.signIn('demo')
    const { headers } = await demo.get('/web/home', { accept: 'text/html' })
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data: https://tiles.example;")
    expect(await demo.page('/web/home')).toContain(TILES)
  })
}

describeHosts('settings of a host', suite, { process: settings, workerd: settings })
