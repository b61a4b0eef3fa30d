import { expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { describeHosts } from '../support/hosts.ts'

const create = (name: string) => ({ model: 'core.tag', method: 'create', args: [{ name }] })

describeHosts('Idempotency-Key', (host) => {
  const countTags = async (name: string) => {
    const { rows } = await sql`select from core_tag where name = ${name}`.execute(host.database.db)
    return rows.length
  }

  test('the same key and body run once and are answered alike', async () => {
    const admin = await host.apiKey('admin')
    const first = await admin.send(create('once'), { 'idempotency-key': 'k-1' })
    const second = await admin.send(create('once'), { 'idempotency-key': 'k-1' })
    expect(first).toMatchObject({ status: 200, ok: true, result: expect.any(Number) })
    expect(second).toMatchObject({ status: 200, ok: true, result: first.result })
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await countTags('once')).toBe(1)
  })

  test('the same key with another body is CONFLICT', async () => {
    const admin = await host.apiKey('admin')
    await admin.send(create('first'), { 'idempotency-key': 'k-2' })
    const other = await admin.send(create('second'), { 'idempotency-key': 'k-2' })
    expect(other).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    expect(await countTags('second')).toBe(0)
  })

  test('the same key of different users is independent', async () => {
    const [admin, demo] = [await host.apiKey('admin'), await host.apiKey('demo')]
    const partner = { model: 'core.partner', method: 'create', args: [{ name: 'Both' }] }
    const first = await admin.send(partner, { 'idempotency-key': 'k-3' })
    const second = await demo.send(partner, { 'idempotency-key': 'k-3' })
    expect(second.ok).toBe(true)
    expect(second.result).not.toBe(first.result)
  })

  test('duplicates that come at once wait and get the first answer', async () => {
    const admin = await host.apiKey('admin')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin.send(create('at once'), { 'idempotency-key': 'k-4' })),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map((answer) => answer.result)).size).toBe(1)
    expect(await countTags('at once')).toBe(1)
  })

  test('it works for actions too, whose transaction sees one snapshot', async () => {
    const admin = await host.apiKey('admin')
    const [book] = await admin.must<{ id: number }[]>('library.book', 'search', [[['title', '=', 'Ficciones']]])
    const action = { model: 'library.book', method: 'call', args: [book!.id, 'action_make_available'] }
    const answers = await Promise.all(Array.from({ length: 3 }, () => admin.send(action, { 'idempotency-key': 'k-5' })))
    expect(answers.map(({ status, result }) => [status, result])).toEqual([
      [200, true],
      [200, true],
      [200, true],
    ])
    const rows = await admin.must('library.book', 'read', [[book!.id], ['version']])
    expect(rows).toEqual([{ id: book!.id, version: 2 }])
  })

  test('a call that failed may be tried again under its key', async () => {
    const admin = await host.apiKey('admin')
    const bad = { model: 'core.tag', method: 'create', args: [{}] }
    expect(await admin.send(bad, { 'idempotency-key': 'k-6' })).toMatchObject({ error: { code: 'VALIDATION' } })
    expect(await admin.send(bad, { 'idempotency-key': 'k-6' })).toMatchObject({ error: { code: 'VALIDATION' } })
    expect(await admin.send(create('mended'), { 'idempotency-key': 'k-6' })).toMatchObject({ ok: true })
  })

  test('a key is free again after a day', async () => {
    const admin = await host.apiKey('admin')
    await admin.send(create('day one'), { 'idempotency-key': 'k-7' })
    await sql`update sys_idempotency set created_at = now() - interval '25 hours' where key = 'k-7'`.execute(
      host.database.db,
    )
    const later = await admin.send(create('day two'), { 'idempotency-key': 'k-7' })
    expect(later).toMatchObject({ ok: true })
    expect((await admin.send(create('day two'), { 'idempotency-key': 'k-7' })).result).toBe(later.result)
  })

  test('a key has no effect on reading', async () => {
    const admin = await host.apiKey('admin')
    const search = (code: string) => ({ model: 'core.country', method: 'search', args: [[['code', '=', code]]] })
    expect((await admin.send(search('PL'), { 'idempotency-key': 'k-8' })).ok).toBe(true)
    expect((await admin.send(search('GB'), { 'idempotency-key': 'k-8' })).ok).toBe(true)
  })

  test.each(['x'.repeat(201), 'with blank', 'tab\there'])('the key %j is BAD_REQUEST', async (key) => {
    const admin = await host.apiKey('admin')
    expect(await admin.send(create('never'), { 'idempotency-key': key })).toMatchObject({
      error: { code: 'BAD_REQUEST' },
    })
    expect(await countTags('never')).toBe(0)
  })
})
