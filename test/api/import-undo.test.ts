import { beforeAll, expect, test } from 'vitest'
import { keepForUndo } from '../../kernel/exchange/import/undo.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { confirm, readBatch, stage } from '../support/upload.ts'

type Row = Readonly<Record<string, unknown>>

describeHost('undo of an import', 'process', (host) => {
  let admin: Agent
  let demo: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
  })

  const partners = (like: string, fields: readonly string[] = ['name']) =>
    admin.must<Row[]>('core.partner', 'search_read', [[['name', '=like', like]], fields], { order: 'name' })

  test('deletes created records and restores changed ones, except those changed since', async () => {
    const [old] = await admin.must<number[]>('core.partner', 'create_many', [
      [{ name: 'Undo old', ref: 'undo-old', city: 'Ulm' }],
    ])
    const { id } = await stage(admin, 'ref,name,city\nundo-old,Undo old,Bonn\nundo-1,Undo one,\nundo-2,Undo two,\n', {
      import_mode: 'upsert',
    })
    await confirm(admin, id, { ref: { field: 'ref', key: true }, name: 'name', city: 'city' })
    const [, , two] = await partners('Undo %', ['name'])
    await admin.must('core.partner', 'write', [[two!['id']], { city: 'Kiel' }])
    expect(await admin.rpc('sys.bulk.import', 'call', [id, 'action_undo_import'])).toMatchObject({ ok: true })
    expect(await partners('Undo %', ['name', 'city'])).toMatchObject([
      { id: old, name: 'Undo old', city: 'Ulm' },
      { name: 'Undo two', city: 'Kiel' },
    ])
    expect(await readBatch(admin, id)).toMatchObject({
      state: 'undone',
      undo_report: {
        removed: 1,
        restored: 1,
        keptCount: 1,
        kept: [{ model: 'core.partner', name: 'Undo two', reason: 'Was changed since.' }],
      },
    })
    expect((await admin.rpc('sys.bulk.import', 'call', [id, 'action_undo_import'])).error?.code).toBe('CONFLICT')
  })

  test('without the right to delete is refused and stays possible for a user with the right', async () => {
    const { id } = await stage(demo, 'name\nNot deletable 1\nNot deletable 2\n')
    await confirm(demo, id)
    for (let turn = 0; turn < 2; turn++)
      expect((await demo.rpc('sys.bulk.import', 'call', [id, 'action_undo_import'])).error).toMatchObject({
        code: 'ACCESS_DENIED',
        details: { reason: 'model_access' },
      })
    expect(await readBatch(demo, id)).toMatchObject({ state: 'done', undo_report: null })
    expect(await partners('Not deletable %')).toHaveLength(2)
  })

  test('leaves alone what others created between its records', async () => {
    const { id } = await stage(admin, 'name\nBetween 0\n')
    await confirm(admin, id)
    const names = [1, 2, 3, 4, 5, 6].map((n) => ({ name: `Between ${n}` }))
    const ids = await admin.must<number[]>('core.partner', 'create_many', [names])
    const applied = [0, 1, 3, 5].map((at) => ({ id: ids[at]!, change: 'create' }))
    await host.modules.asSystem((env) =>
      keepForUndo(env, id, env.registry.model('core.partner')!, { applied, targets: new Map() } as never),
    )
    await admin.must('sys.bulk.import', 'call', [id, 'action_undo_import'])
    expect(await partners('Between %')).toMatchObject([{ name: 'Between 3' }, { name: 'Between 5' }])
    expect(await readBatch(admin, id)).toMatchObject({ undo_report: { removed: 5, keptCount: 0 } })
  })
})
