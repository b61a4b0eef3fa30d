import { expect, test } from 'vitest'
import { bumpModuleEpoch } from '../../kernel/epoch.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { transact } from '../../kernel/sql/transaction.ts'
import { describeHosts } from '../support/hosts.ts'

/** A newer program has installed a module, with a menu and a view extension, while this one serves. */
describeHosts('a process that lacks an installed module', (host) => {
  test('serves what it knows and is not ready, with one line in the log', async () => {
    const admin = await host.signIn('admin')
    const { db } = host.database
    await transact(
      db,
      { kind: 'write' },
      async (tx) => {
        await sql`insert into sys_module (name, version, state, application) values ('fleet', '1.0', 'installed', false)`.execute(
          tx,
        )
        await sql`insert into sys_menu (name, module, sequence, active) values ('Vehicles', 'fleet', 1, true)`.execute(
          tx,
        )
        await sql`insert into sys_view (name, model, type, arch, inherit_id, priority, mode, module, active)
        select 'fleet', v.model, v.type, '<data><xpath expr="//field" position="after"><field name="vehicle_id"/></xpath></data>',
          v.id, 16, 'extension', 'fleet', true
        from sys_view v where v.model = 'core.partner' and v.type = 'list' and v.mode = 'primary'`.execute(tx)
        await bumpModuleEpoch(tx)
      },
      host.modules.services,
    )
    host.observed.length = 0
    for (const query of ['model=core.partner&view_type=list', 'model=core.partner&view_type=form'])
      expect((await admin.get(`/web/wc/workspace?${query}`)).status).toBe(200)
    expect(await admin.rpc('core.partner', 'search_read', [[], ['name']])).toMatchObject({ ok: true })
    expect(await admin.page('/web/home')).not.toContain('Vehicles')
    const ready = await host.fetch('/api/ready')
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('the module fleet')])
    if (host.kind === 'workerd') return
    expect(host.observed.filter(({ kind }) => kind === 'failure')).toEqual([])
    expect(host.observed.filter(({ kind }) => kind === 'warning')).toHaveLength(1)
  })
})
