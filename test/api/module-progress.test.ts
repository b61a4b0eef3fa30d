import { beforeAll, expect, test } from 'vitest'
import { writeParam } from '../../kernel/param.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_ONLY = { accept: 'application/json' }
const STEP = { module: 'library_extra', done: 1, total: 2 }

describeHost('the progress of a change of modules', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  const progress = async () =>
    ((await (await admin.get('/web/module/progress', JSON_ONLY)).json()) as { result: unknown }).result
  const act = async (module: string, action: string) =>
    (await admin.submit('/web/module/action', { module, action }, JSON_ONLY)).status

  test.each([
    ['a preview', 'library', 'preview', 200],
    ['a change that is refused', 'base', 'uninstall', 409],
    ['an install', 'library_extra', 'install', 200],
    ['an update', 'library_extra', 'update', 200],
    ['an update of several', 'library,library_extra', 'update', 200],
    ['several that are not updated', 'library,library_extra', 'uninstall', 400],
    ['several of which one is unknown', 'library,nothing', 'update', 404],
    ['an uninstall', 'library_extra', 'uninstall', 200],
  ])('is none after %s', async (_what, module, action, status) => {
    expect(await act(module, action)).toBe(status)
    expect(await progress()).toBeNull()
    const { rows } = await sql`select value from sys_param where key = 'setup_progress'`.execute(host.database.db)
    expect(rows).toEqual([])
  })

  test('is that of the change whose turn it is, and none once its process is gone', async () => {
    await writeParam(host.database.db, 'setup_progress', STEP)
    expect(await progress()).toBeNull()
    await host.database.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('modulus.modules', 0))`.execute(tx)
      expect(await progress()).toEqual(STEP)
    })
    expect(await progress()).toBeNull()
  })
})
