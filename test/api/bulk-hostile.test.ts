import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { confirm, MULTIPART, multipart, readBatch, stage, upload } from '../support/upload.ts'

type Row = Readonly<Record<string, unknown>>

describeHost('an import of a difficult file', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  const names = async (model: string, like: string) =>
    (
      await admin.must<{ name: string }[]>(model, 'search_read', [[['name', '=like', like]], ['name']], {
        order: 'name',
      })
    ).map(({ name }) => name)

  test('creates no linked record for a row that is refused or left out', async () => {
    const { id } = await stage(
      admin,
      'name,tags,latitude,country\n' +
        'Left good,Left shared,1,\nLeft unread,"Left shared,Left unread",north,\n' +
        'Left refused,"Left refused,Left shared",91,\nLeft skipped,Left skipped,1,Nowhere\n',
    )
    const mapping = {
      name: 'name',
      latitude: 'latitude',
      tags: { field: 'tag_ids', policy: 'create' },
      country: { field: 'country_id', policy: 'skip' },
    }
    expect(await confirm(admin, id, mapping, { skip_invalid: '1' })).toMatchObject({ ok: true })
    expect(await names('core.partner', 'Left %')).toEqual(['Left good'])
    expect(await names('core.tag', 'Left %')).toEqual(['Left shared'])
    await admin.must('sys.bulk.import', 'call', [id, 'action_undo_import'])
    expect(await names('core.tag', 'Left %')).toEqual([])
  })

  test('gives back every row that it did not take, also when very many are refused', async () => {
    const rows = LIMITS.importRefusedRows + 40
    const lines = Array.from({ length: rows }, (_, i) => `Many ${i},${i < 5 ? 1 : 91}`)
    const { id } = await stage(admin, `name,latitude\n${lines.join('\n')}\n`)
    expect(await confirm(admin, id, undefined, { skip_invalid: '1' })).toMatchObject({ ok: true })
    expect(await names('core.partner', 'Many %')).toHaveLength(5)
    const given = (await (await admin.get(`/web/bulk/errors?id=${id}`)).text()).trimEnd().split('\r\n')
    expect(given).toHaveLength(1 + rows - 5)
    expect(given[1]).toMatch(/^Many 5,91,latitude: /)
    expect(given.at(-1)).toContain('It was not tried alone')
  }, 60_000)

  test('keeps no file once it is imported, and takes none while its user keeps too much', async () => {
    const sizes = (id: number) =>
      sql<{ file: number | null }>`select octet_length(file) as file from sys_bulk_import where id = ${id}`
        .execute(host.database.db)
        .then(({ rows }) => rows[0]!.file)
    const { id } = await stage(admin, 'name\nHeavy\n')
    expect(await sizes(id)).toBe(11)
    await confirm(admin, id)
    expect(await sizes(id)).toBeNull()
    const keep = (bytes: number) =>
      sql`update sys_bulk_import set rejected = convert_to(repeat('x', ${bytes}), 'UTF8') where id = ${id}`.execute(
        host.database.db,
      )
    await keep(LIMITS.importStoredBytes)
    const demo = await host.signIn('demo')
    const answer = async (agent: Agent) => {
      const { error } = (await (await upload(agent, 'name\nx\n')).json()) as {
        error?: { code: string; details: { fields: Row } }
      }
      return error && [error.code, Object.keys(error.details.fields)]
    }
    expect(await answer(admin)).toEqual(['VALIDATION', ['file']])
    expect(await answer(demo)).toBeUndefined()
    await admin.must('sys.bulk.import', 'unlink', [[id]])
    expect(await answer(admin)).toBeUndefined()
  })

  test('checks the action it is said to come from', async () => {
    const outcome = async (action: string) => {
      const { error } = (await (await upload(admin, 'name\nx\n', { action })).json()) as {
        error: { code: string; details: { reason: string } } | null
      }
      return error && `${error.code} ${error.details.reason}`
    }
    expect(await outcome('999999')).toBe('NOT_FOUND action_unknown')
    const [users] = await admin.must<{ id: number }[]>('sys.action', 'search_read', [
      [['model', '=', 'core.user']],
      ['id'],
    ])
    expect(await outcome(String(users!.id))).toBe('BAD_REQUEST input_invalid')
  })

  test('keeps names and samples with any characters, long ones in part', async () => {
    const nameOf = async (name: string) => {
      const body = multipart({ model: 'core.partner' }, 'name\nx\n', name) as BodyInit
      const headers = { ...MULTIPART, accept: 'application/json' }
      const response = await admin.fetch('/web/bulk/upload', { method: 'POST', body }, headers)
      const { id } = (await response.json()) as { id: number }
      return (await readBatch(admin, id))['file_name']
    }
    expect(await nameOf('👩‍🚀 Größe.csv')).toBe('👩‍🚀 Größe.csv')
    expect(await nameOf(`${'🚀'.repeat(300)}xy.csv`)).toBe(`${'🚀'.repeat(124)}xy.csv`)
    // Half a character is no text, so samples and problems are not cut within one.
    const long = `x${'🚀'.repeat(300)}`
    const { id, columns } = await stage(admin, `name,country_id\n${long},${long}\n`)
    expect(columns).toMatchObject([{ samples: [`x${'🚀'.repeat(29)}`] }, {}])
    const rows = [{ row: 2, column: 'country_id', value: `x${'🚀'.repeat(99)}` }]
    expect((await confirm(admin, id)).error?.details).toMatchObject({ rows })
  })

  test('says which parameter is no JSON', async () => {
    const { id } = await stage(admin, 'name\nx\n')
    const answer = await admin.rpc('sys.bulk.import', 'call', [id, 'action_confirm_import', { column_mapping: '{x' }])
    expect(answer.error).toMatchObject({ message: expect.stringContaining('column_mapping') })
  })

  test('may name records that other rows of the file make, by name or external id, in any order', async () => {
    const parents = async (like: string) =>
      (
        await admin.must<{ name: string; parent_id: [number, string] | null }[]>(
          'core.partner',
          'search_read',
          [[['name', '=like', like]], ['name', 'parent_id']],
          { order: 'name' },
        )
      ).map(({ name, parent_id }) => [name, parent_id?.[1] ?? null])
    const byName = await stage(admin, 'name,parent_id\nTree c,Tree b\nTree a,\nTree b,Tree a\n')
    expect(await confirm(admin, byName.id)).toMatchObject({ ok: true })
    expect(await parents('Tree %')).toEqual([
      ['Tree a', null],
      ['Tree b', 'Tree a'],
      ['Tree c', 'Tree b'],
    ])
    const byId = await stage(admin, 'id,name,parent_id/id\nbush_b,Bush b,bush_a\nbush_a,Bush a,\n')
    expect(await confirm(admin, byId.id)).toMatchObject({ ok: true })
    expect(await parents('Bush %')).toEqual([
      ['Bush a', null],
      ['Bush b', 'Bush a'],
    ])
    const circle = await stage(admin, 'name,parent_id\nRing a,Ring b\nRing b,Ring a\n')
    expect((await confirm(admin, circle.id)).error?.details).toMatchObject({
      rows: [
        { row: 2, message: 'There is no record "Ring b".' },
        { row: 3, message: 'A record cannot lie below itself.' },
      ],
    })
  })

  test('a chain of rows that name each other takes a few statements per row, in any order of them', async () => {
    const chain = async (name: string, length: number) => {
      const rows = Array.from({ length }, (_, n) => `${name} ${n},${n + 1 < length ? `${name} ${n + 1}` : ''}`)
      const { id } = await stage(admin, `name,parent_id\n${rows.join('\n')}\n`)
      host.database.statements.length = 0
      expect(await confirm(admin, id)).toMatchObject({ ok: true })
      return host.database.statements.length
    }
    const [short, long] = [await chain('Short', 10), await chain('Long', 60)]
    expect((long - short) / 50).toBeLessThan(12)
    const made = await admin.must<Row[]>('core.partner', 'search_read', [
      [['name', '=like', 'Long %']],
      ['name', 'parent_id'],
    ])
    expect(made.length).toBe(60)
    expect(new Map(made.map((row) => [row['name'], (row['parent_id'] as Row | null)?.[1]]))).toEqual(
      new Map(Array.from({ length: 60 }, (_, n) => [`Long ${n}`, n < 59 ? `Long ${n + 1}` : undefined])),
    )
  })

  test('a line that a column leaves out leaves out its record as a whole', async () => {
    const { id } = await stage(admin, 'name,child_ids/name,land\nHouse a,Room a,Germany\nHouse b,Room b,Nowhere\n')
    const mapping = {
      name: 'name',
      'child_ids/name': 'child_ids/name',
      land: { field: 'child_ids/country_id', policy: 'skip' },
    }
    expect(await confirm(admin, id, mapping)).toMatchObject({
      result: { redirect: expect.stringContaining('imported_1_updated_0_skipped_1') },
    })
    expect(await names('core.partner', 'Room %')).toEqual(['Room a'])
  })

  test('leaves a record without lines as it is, and refuses a line of another record', async () => {
    const mine = await admin.must<number>('core.partner', 'create', [{ name: 'Lineless' }])
    const line = await admin.must<number>('core.partner', 'create', [{ name: 'Lineless other', parent_id: mine }])
    const bare = await admin.must<number>('core.partner', 'create', [{ name: 'Lineless bare' }])
    const none = await stage(admin, `.id,child_ids/name\n${bare},\n`, { import_mode: 'upsert' })
    expect(await confirm(admin, none.id)).toMatchObject({
      result: { redirect: expect.stringContaining('imported_0_updated_0_skipped_1') },
    })
    const file = `.id,child_ids/.id,child_ids/name\n${bare},${line},Lineless other\n`
    const stolen = await stage(admin, file, { import_mode: 'upsert' })
    expect(await confirm(admin, stolen.id)).toMatchObject({ ok: false, error: { code: 'VALIDATION' } })
  })

  test('changes lines that it names by external id, and adds the others', async () => {
    const id = await admin.must<number>('core.partner', 'create', [
      {
        name: 'Lined',
        child_ids: [
          [0, 0, { name: 'Line 1' }],
          [0, 0, { name: 'Line 2' }],
        ],
      },
    ])
    const query = new URLSearchParams({
      model: 'core.partner',
      id: String(id),
      fields: '.id,child_ids/id,child_ids/name',
    })
    const file = await (await admin.get(`/web/export/csv?${query}`)).text()
    const [before] = await admin.must<readonly { version: number }[]>('core.partner', 'read', [[id], ['version']])
    const same = await stage(admin, file, { import_mode: 'upsert' })
    expect(same.column_mapping).toMatchObject({ 'child_ids/id': 'child_ids/id' })
    expect(await confirm(admin, same.id)).toMatchObject({
      result: { redirect: expect.stringContaining('imported_0_updated_0_skipped_1') },
    })
    expect(await admin.must('core.partner', 'read', [[id], ['version']])).toMatchObject([before])
    const batch = await stage(admin, `${file.replace('Line 2', 'Line two')},,Line 3\r\n`, { import_mode: 'upsert' })
    expect(await confirm(admin, batch.id)).toMatchObject({ ok: true })
    expect(await names('core.partner', 'Line %')).toEqual(['Line 1', 'Line 3', 'Line two'])
    const wrong = await stage(admin, file.replace(/__export__\.\w+/, 'no_such'), { import_mode: 'upsert' })
    expect((await confirm(admin, wrong.id)).error?.details).toMatchObject({
      rows: [{ row: 2, column: 'child_ids/id', message: 'There is no record "no_such".' }],
    })
  })
})
