import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { stage } from '../support/upload.ts'

/** What an import keeps of the records that it is about: values before and after, samples and problems of its rows. */
const KEPT = ['preview', 'problems', 'undo_report', 'columns', 'file', 'rejected']

describeHost('an import through a key', 'process', (host) => {
  let id: number
  beforeAll(async () => {
    const admin = await host.signIn('admin')
    const partner = await admin.must<number>('core.partner', 'create', [{ name: 'Scoped', city: 'Secret City' }])
    const batch = await stage(admin, `.id,city\n${partner},Elsewhere\n`, { import_mode: 'upsert' })
    await admin.must('sys.bulk.import', 'call', [batch.id, 'action_dry_run', {}])
    id = batch.id
  })

  const keyFor = (models: Readonly<Record<string, readonly string[]>>): Promise<Agent> =>
    host.apiKey('admin', { scope: { models: { 'sys.bulk.import': ['read', 'search_read', 'read_group'], ...models } } })

  test('shows what it keeps of records only where the scope covers their model', async () => {
    const own = await keyFor({ 'core.partner': ['read'] })
    const [batch] = await own.must<Record<string, unknown>[]>('sys.bulk.import', 'read', [
      [id],
      ['problems', 'columns'],
    ])
    expect(JSON.stringify(batch)).toContain('Elsewhere')

    const scoped = await keyFor({})
    expect(await scoped.rpc('core.partner', 'search_read', [[], ['city']])).toMatchObject({
      error: { details: { reason: 'key_scope' } },
    })
    expect(await scoped.must('sys.bulk.import', 'search_read', [[['id', '=', id]], KEPT])).toEqual([])
    expect(await scoped.must('sys.bulk.import', 'search_read', [[['model', '=', 'core.partner']], ['id']])).toEqual([])
    const read = await scoped.rpc('sys.bulk.import', 'read', [[id], KEPT])
    expect(JSON.stringify(read)).not.toContain('Secret City')
  })

  test('shows names and values of whatever records only to a key for all models', async () => {
    const some = await keyFor({ 'core.partner': ['read'] })
    for (const fields of [[['preview', 'undo_report', 'state']], []]) {
      const [batch] = await some.must<Record<string, unknown>[]>('sys.bulk.import', 'read', [[id], ...fields])
      expect(Object.keys(batch!)).toContain('state')
      expect(Object.keys(batch!)).not.toEqual(expect.arrayContaining(['preview']))
      expect(JSON.stringify(batch)).not.toContain('Secret City')
    }
    expect(await some.rpc('sys.bulk.import', 'search_read', [[['preview', '!=', false]], ['state']])).toMatchObject({
      error: { code: 'ACCESS_DENIED', details: { reason: 'field_access' } },
    })
    const all = await keyFor({ '*': ['read'] })
    const [whole] = await all.must<Record<string, unknown>[]>('sys.bulk.import', 'read', [[id], ['preview']])
    expect(JSON.stringify(whole!['preview'])).toContain('Secret City')
  })
})
