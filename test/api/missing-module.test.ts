import { expect, test } from 'vitest'
import { bumpModuleEpoch } from '../../kernel/epoch.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { transact } from '../../kernel/sql/transaction.ts'
import type { Host } from '../support/hosts.ts'
import { describeHost, describeHosts } from '../support/hosts.ts'
import { pick, randomOf } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'

/** A newer program has installed a module, with a menu and a view extension, while this one serves. */
describeHosts('a process that lacks an installed module', (host) => {
  test('serves its own modules and is not ready, with one line in the log', async () => {
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
    const text = await ready.text()
    expect([ready.status, text]).toEqual([503, expect.stringContaining('a module that this program lacks')])
    expect(text).not.toContain('fleet')
    if (host.kind === 'workerd') return
    expect(host.observed.filter(({ kind }) => kind === 'failure')).toEqual([])
    expect(host.observed.filter(({ kind }) => kind === 'warning')).toEqual([
      {
        kind: 'warning',
        text: expect.stringContaining('The database has the module fleet, which this program lacks.'),
      },
    ])
  })
})

/** Tables in which a module leaves rows, each with the columns that name what only the module has. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  sys_view: ['model'],
  sys_menu: ['name'],
  sys_action: ['model'],
  sys_access: ['model'],
  sys_rule: ['model'],
  sys_filter: ['model'],
  sys_export_set: ['model'],
  sys_dashboard_tile: ['model'],
  sys_cron: ['job'],
  sys_model: ['model'],
  sys_field: ['model', 'name'],
  sys_xmlid: ['model', 'name'],
}

describeHost('whatever a missing module has left in the tables', 'process', (host) => {
  test('no page and no call fails', async () => {
    const { db } = host.database
    const random = randomOf(2_026)
    const admin = await host.signIn('admin')
    const { registry } = await host.modules.holder.latest()
    const models = [...registry.models.values()].filter(({ rpc }) => rpc !== 'none').map(({ name }) => name)
    await sql`insert into sys_module (name, version, state, application) values ('fleet', '1.0', 'installed', true)`.execute(
      db,
    )
    const failures: unknown[] = []
    let left = 0
    for (let round = 0; round < repeats(2, 200); round++) {
      for (const table of Object.keys(LEFT)) left += await leaveRow(host, table, `fleet_${round}`, random)
      await transact(db, { kind: 'write' }, (tx) => bumpModuleEpoch(tx), host.modules.services)
      const paths = ['/web/home', '/web/apps', '/web/settings', '/api/openapi.json']
      const workspace = `/web/wc/workspace?model=${pick(random, models)}&view_type=${pick(random, ['list', 'form', 'kanban'])}`
      for (const path of [...paths, workspace]) {
        const { status } = await admin.get(path)
        if (status >= 500) failures.push([round, path, status])
      }
      for (const model of models) {
        const { status } = await admin.send({ model, method: 'search_read', args: [[], []], kwargs: { limit: 5 } })
        if (status >= 500) failures.push([round, model, status])
      }
    }
    expect(failures).toEqual([])
    expect(left).toBeGreaterThan(5)
  })
})

/** Copies a row of a table as the missing module would have it; 0 if the table has none or refuses the copy. */
async function leaveRow(host: Host, table: string, mark: string, random: () => number): Promise<number> {
  const { rows: columns } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name <> 'id' and is_generated = 'NEVER'`.execute(
    host.database.db,
  )
  const owned = LEFT[table]!
  const values = columns.map(({ name }) => {
    if (name === 'module') return sql`'fleet'`
    return owned.includes(name) ? sql`${`${mark}.${name}`}` : sql.ref(name)
  })
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id`.execute(host.database.db)
  if (rows.length === 0) return 0
  return sql`insert into ${sql.table(table)} (${names}) select ${sql.join(values)} from ${sql.table(table)}
    where id = ${pick(random, rows).id}`
    .execute(host.database.db)
    .then(
      () => 1,
      () => 0,
    )
}
