import { beforeAll, describe, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { confirm, readBatch, stage } from '../support/upload.ts'

type Row = Readonly<Record<string, unknown>>

describeHost('an import', 'process', (host) => {
  let admin: Agent
  let demo: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
  })

  const partners = (like: string, fields: readonly string[] = ['name']) =>
    admin.must<Row[]>('core.partner', 'search_read', [[['name', '=like', like]], fields], { order: 'name' })
  const confirmed = (created: number, updated: number, skipped: number) => ({
    ok: true,
    result: { redirect: expect.stringContaining(`msg=imported_${created}_updated_${updated}_skipped_${skipped}`) },
  })

  test('goes from the file over a guessed mapping to records', async () => {
    const batch = await stage(
      admin,
      'Name,E-Mail,Land,Latitude\r\nFirst Ada,ada@example.com,Germany,"52.5"\r\nFirst Bob,,Germany,\r\n',
    )
    expect(batch).toMatchObject({ state: 'staged', row_count: 2, separator: ',', encoding: 'utf-8' })
    expect(batch.column_mapping).toMatchObject({ Name: 'name', 'E-Mail': 'email', Land: 'country_id' })
    expect(await confirm(admin, batch.id)).toMatchObject(confirmed(2, 0, 0))
    const rows = await partners('First %', ['name', 'email', 'country_id', 'latitude'])
    expect(rows).toMatchObject([
      { name: 'First Ada', email: 'ada@example.com', country_id: [expect.any(Number), 'Germany'], latitude: 52.5 },
      { name: 'First Bob', email: null, latitude: null },
    ])
    expect(await readBatch(admin, batch.id)).toMatchObject({ state: 'done', created_count: 2 })
  })

  test('offers fields with similar names, and imports them only if they are mapped', async () => {
    const batch = await stage(
      admin,
      'name,E-Mail Adresse,Strasse 1,cty,Shoe size\nSimilar Ada,ada@example.com,Ring,Ulm,40\n',
    )
    expect(batch.column_mapping).toEqual({ name: 'name' })
    const similar = Object.fromEntries(batch.columns.map((column) => [column.header, column.similar]))
    expect(similar).toEqual({ 'E-Mail Adresse': 'email', 'Strasse 1': 'street' })
    expect(await confirm(admin, batch.id)).toMatchObject(confirmed(1, 0, 0))
    expect(await partners('Similar %', ['email', 'street'])).toMatchObject([{ email: null, street: null }])
  })

  test('a mapping is that of the next file with its columns, unless it is not to be remembered', async () => {
    const odd = (name: string) => stage(admin, `name,Odd column\n${name},Ulm\n`)
    const forgotten = await odd('Odd 1')
    expect(forgotten.column_mapping).not.toHaveProperty('Odd column')
    await admin.must('sys.bulk.import', 'write', [[forgotten.id], { remember: false }])
    await confirm(admin, forgotten.id, { name: 'name', 'Odd column': 'city' })
    const second = await odd('Odd 2')
    expect(second.column_mapping).not.toHaveProperty('Odd column')
    await confirm(admin, second.id, { name: 'name', 'Odd column': 'city' })
    expect((await odd('Odd 3')).column_mapping).toMatchObject({ 'Odd column': { field: 'city' } })
    // A value that is no mapping, written into a finished import, is not remembered.
    for (const field of [['x'], { a: 1 }]) {
      await admin.must('sys.bulk.import', 'write', [[second.id], { column_mapping: { 'Odd column': { field } } }])
      expect((await odd('Odd 4')).column_mapping).not.toHaveProperty('Odd column')
    }
  })

  test('confirmed twice is one import, also at the same moment', async () => {
    const { id } = await stage(admin, 'name\nTwice\n')
    const answers = await Promise.all([confirm(admin, id), confirm(admin, id), confirm(admin, id)])
    for (const answer of answers) expect(answer).toMatchObject(confirmed(1, 0, 0))
    expect(await partners('Twice')).toHaveLength(1)
  })

  test('with a bad row imports nothing and names row, column, value and reason; skip_invalid imports the rest', async () => {
    const { id } = await stage(admin, 'name,latitude,email\nGood one,1.5,\n,2,\nGood two,north,\n')
    const answer = await confirm(admin, id, { name: 'name', latitude: 'latitude' })
    expect(answer.error).toMatchObject({
      code: 'VALIDATION',
      details: {
        reason: 'rows_invalid',
        count: 2,
        rows: [
          { row: 3, column: 'name', message: 'Name is required.' },
          { row: 4, column: 'latitude', value: 'north', message: expect.stringContaining('"north" is not a number') },
        ],
      },
    })
    expect(await partners('Good %')).toEqual([])
    expect(await readBatch(admin, id)).toMatchObject({ state: 'mapped', column_mapping: { latitude: 'latitude' } })
    expect(await confirm(admin, id, undefined, { skip_invalid: '1' })).toMatchObject(confirmed(2 - 1 + 0, 0, 2))
    expect(await partners('Good %')).toHaveLength(1)
    const file = await admin.get(`/web/bulk/errors?id=${id}`)
    expect(file.headers.get('content-disposition')).toContain('attachment')
    expect(await file.text()).toBe(
      'name,latitude,email,Reason\r\n,2,,name: Name is required.\r\n' +
        'Good two,north,,"latitude: ""north"" is not a number like 1,234.56."\r\n',
    )
  })

  test('a row that a check, a unique value or a rule refuses is found among the others', async () => {
    const many = Array.from({ length: 40 }, (_, i) => `Halved ${i},${i === 17 ? 91 : 1}`)
    const { id } = await stage(admin, `name,latitude\n${many.join('\n')}\n`)
    const answer = await confirm(admin, id)
    expect(answer.error?.details).toMatchObject({ count: 1, rows: [{ row: 19, column: 'latitude', value: '91' }] })
    expect(await confirm(admin, id, undefined, { skip_invalid: '1' })).toMatchObject(confirmed(39, 0, 1))
  })

  describe('with import_mode upsert', () => {
    test('updates by key only what differs, and creates the rest', async () => {
      const first = await stage(admin, 'ref,name,city\nu1,Upsert A,Bonn\nu2,Upsert B,Bonn\n')
      await confirm(admin, first.id)
      const before = await partners('Upsert %', ['version'])
      const { id } = await stage(admin, 'ref,name,city\nu1,Upsert A,Bonn\nu2,Upsert B,Jena\nu3,Upsert C,Jena\n', {
        import_mode: 'upsert',
      })
      const mapping = { ref: { field: 'ref', key: true }, name: 'name', city: 'city' }
      await admin.must('sys.bulk.import', 'call', [id, 'action_dry_run', { column_mapping: JSON.stringify(mapping) }])
      expect(await readBatch(admin, id)).toMatchObject({
        state: 'mapped',
        preview: {
          ...{ create: 1, update: 1, unchanged: 1, error: 0, skip: 0 },
          rows: [
            { row: 2, action: 'unchanged', name: 'Upsert A' },
            { row: 3, action: 'update', changes: [{ column: 'city', old: 'Bonn', new: 'Jena' }] },
            { row: 4, action: 'create', name: 'Upsert C' },
          ],
        },
      })
      expect(await partners('Upsert %', ['version'])).toEqual(before)
      expect(await confirm(admin, id)).toMatchObject(confirmed(1, 1, 1))
      const rows = await partners('Upsert %', ['city', 'version'])
      expect(rows.map(({ city }) => city)).toEqual(['Bonn', 'Jena', 'Jena'])
      expect(rows[0]).toEqual({ ...before[0], city: 'Bonn' })
    })

    test('by external id creates once and then updates; an id of a module is not taken', async () => {
      const file = (city: string) => `id,name,city\next_1,External,${city}\n`
      for (const [city, outcome] of [
        ['Ulm', confirmed(1, 0, 0)],
        ['Köln', confirmed(0, 1, 0)],
      ] as const) {
        const { id } = await stage(admin, file(city), { import_mode: 'upsert' })
        expect(await confirm(admin, id)).toMatchObject(outcome)
      }
      expect(await partners('External', ['city'])).toMatchObject([{ city: 'Köln' }])
      const { id } = await stage(admin, 'id,name\nbase.mine,Mine\n', { import_mode: 'upsert' })
      expect((await confirm(admin, id)).error?.details).toMatchObject({ rows: [{ row: 2, column: 'id' }] })
    })

    test('a key that very many records have is refused with a few of them, and a rare one beside it is found', async () => {
      const many = Array.from({ length: 1_000 }, (_, i) => ({ name: `Weak ${i}`, city: 'Weak', ref: `weak-${i}` }))
      for (let page = 0; page < 3; page++) await admin.must('core.partner', 'create_many', [many])
      await admin.must('core.partner', 'create_many', [[{ name: 'Rare', city: 'Rare', ref: 'weak-1' }]])
      const { id } = await stage(admin, 'city,ref,phone\nWeak,weak-1,1\nRare,weak-1,2\nNone,weak-1,3\n', {
        import_mode: 'upsert',
      })
      const city = { field: 'city', key: true }
      const several = await confirm(admin, id, { city, phone: 'phone', ref: 'ref' })
      expect(several.error?.details).toMatchObject({
        count: 2,
        rows: expect.arrayContaining([
          expect.objectContaining({
            row: 2,
            message: expect.stringMatching(/^Several records have this key: (\d+, ){4}\d+\.$/),
          }),
        ]),
      })
      const both = await stage(admin, 'city,ref,phone\nRare,weak-1,2\n', { import_mode: 'upsert' })
      const mapping = { city, ref: { field: 'ref', key: true }, phone: 'phone' }
      expect(await confirm(admin, both.id, mapping)).toMatchObject(confirmed(0, 1, 0))
      expect(await partners('Rare', ['phone'])).toMatchObject([{ phone: '2' }])
    })

    test('a number is no external id, and a database id has decimal digits alone', async () => {
      const [known] = await admin.must<number[]>('core.partner', 'create_many', [[{ name: 'Numbered' }]])
      const rows = async (cell: string, path: string, mode = 'upsert') => {
        const { id } = await stage(admin, `key,name\n${cell},Numbered again\n`, { import_mode: mode })
        return (await confirm(admin, id, { key: path, name: 'name' })).error?.details['rows']
      }
      const digits = expect.stringContaining('Map the column to .id')
      expect(await rows(`${known}`, 'id')).toMatchObject([{ row: 2, column: 'key', message: digits }])
      expect(await rows(`${known}`, 'id/id', 'create')).toMatchObject([{ row: 2, column: 'key', message: digits }])
      for (const cell of [`0x${known!.toString(16)}`, `${known}e0`, `0${known}`, `${known}.0`])
        expect(await rows(cell, '.id')).toMatchObject([{ row: 2, message: `There is no record "${cell}".` }])
      expect(await rows(`${known}`, '.id', 'create')).toMatchObject([
        { row: 2, message: 'There is a record with this id already.' },
      ])
      expect(await partners('Numbered%')).toMatchObject([{ id: known, name: 'Numbered' }])
      expect(await rows(`${known}`, '.id')).toBe(undefined)
      expect(await partners('Numbered%')).toMatchObject([{ id: known, name: 'Numbered again' }])
    })

    test('two rows with one key are an error of the second', async () => {
      const { id } = await stage(admin, 'ref,name\nsame,Same 1\nsame,Same 2\n', { import_mode: 'upsert' })
      const answer = await confirm(admin, id, { ref: { field: 'ref', key: true }, name: 'name' })
      expect(answer.error?.details).toMatchObject({
        rows: [{ row: 3, column: 'ref', message: 'Row 2 has the same key.' }],
      })
    })

    test('two rows with one key are an error of the second, even if that waits for the first', async () => {
      const { id } = await stage(admin, 'ref,name,parent\nwait,Same 3,\nwait,Same 4,Same 3\n', {
        import_mode: 'upsert',
      })
      const answer = await confirm(admin, id, { ref: { field: 'ref', key: true }, name: 'name', parent: 'parent_id' })
      expect(answer.error?.details).toMatchObject({
        rows: [{ row: 3, column: 'ref', message: 'Row 2 has the same key.' }],
      })
    })
  })

  describe('of a relation', () => {
    test('follows the policy of its column for names that no record has', async () => {
      const outcomes = new Map<string, unknown>()
      for (const policy of ['match', 'create', 'skip', 'empty']) {
        const { id } = await stage(admin, `name,tags\nPolicy ${policy},"Tag of ${policy}, Second of ${policy}"\n`)
        const answer = await confirm(admin, id, { name: 'name', tags: { field: 'tag_ids', policy } })
        outcomes.set(
          policy,
          answer.ok
            ? (await partners(`Policy ${policy}`, ['tag_ids'])).map((row) => (row['tag_ids'] as unknown[]).length)
            : answer.error!.details['rows'],
        )
      }
      expect(Object.fromEntries(outcomes)).toMatchObject({
        match: [{ row: 2, column: 'tags', message: 'There is no record "Tag of match".' }],
        create: [2],
        skip: [],
        empty: [0],
      })
    })

    test('a name that no record may have refuses its row alone', async () => {
      const long = 'x'.repeat(5_000)
      const { id } = await stage(admin, `name,tags\nNamed well,Short tag\nNamed badly,"Other tag,${long}"\n`)
      const mapping = { name: 'name', tags: { field: 'tag_ids', policy: 'create' } }
      expect((await confirm(admin, id, mapping)).error?.details).toMatchObject({
        count: 1,
        rows: [{ row: 3, column: 'tags', message: 'Must be at most 100 characters.' }],
      })
      expect(await confirm(admin, id, mapping, { skip_invalid: '1' })).toMatchObject(confirmed(1, 0, 1))
      expect(await partners('Named %')).toMatchObject([{ name: 'Named well' }])
    })

    test('takes external ids and database ids, and names several records of one name', async () => {
      const [tag] = await admin.must<number[]>('core.tag', 'create_many', [[{ name: 'Lonely' }]])
      await admin.must('core.partner', 'create_many', [[{ name: 'Twin parent' }, { name: 'Twin parent' }]])
      const { id } = await stage(admin, `name,country_id/id,tag_ids/.id\nBy ids,base.country_fr,${tag}\n`)
      expect(await confirm(admin, id)).toMatchObject(confirmed(1, 0, 0))
      expect(await partners('By ids', ['country_id', 'tag_ids'])).toMatchObject([
        { country_id: [expect.any(Number), 'France'], tag_ids: [tag] },
      ])
      const twin = await stage(admin, 'name,parent_id\nTwin child,Twin parent\n')
      expect((await confirm(admin, twin.id)).error?.details).toMatchObject({
        rows: [{ row: 2, column: 'parent_id', message: expect.stringContaining('is the name of several records') }],
      })
    })

    test('takes no archived record for its name, but says that there is one and offers it', async () => {
      const [old] = await admin.must<number[]>('core.partner', 'create_many', [[{ name: 'Old parent', active: false }]])
      const { id } = await stage(admin, 'name,parent_id\nLate child,Old parent\n')
      expect((await confirm(admin, id)).error?.details).toMatchObject({
        rows: [{ row: 2, column: 'parent_id', message: 'The record "Old parent" is archived.' }],
      })
      await admin.must('sys.bulk.import', 'call', [id, 'action_dry_run'])
      const value = { value: 'Old parent', isArchived: true, choices: [[old, 'Old parent']], suggested: null }
      expect(await readBatch(admin, id)).toMatchObject({ preview: { values: [value] } })
    })

    test('decisions for names count only where the column still leads to records', async () => {
      const { id } = await stage(admin, 'name,place\nSettled before,Portugual\n')
      const mapping = { name: 'name', place: { field: 'city', values: { Portugual: 'empty' } } }
      await admin.must('sys.bulk.import', 'call', [id, 'action_dry_run', { column_mapping: JSON.stringify(mapping) }])
      expect(await readBatch(admin, id)).toMatchObject({ preview: { create: 1, values: [] } })
      expect(await confirm(admin, id, mapping)).toMatchObject(confirmed(1, 0, 0))
      expect(await partners('Settled before', ['city'])).toMatchObject([{ city: 'Portugual' }])
    })

    test('each line of a record has its own row below the record', async () => {
      const { id } = await stage(
        admin,
        'name,child_ids/name,child_ids.city\nParent,Kid 1,Ulm\n,Kid 2,\n"Other parent",,\n',
      )
      expect(await confirm(admin, id)).toMatchObject(confirmed(2, 0, 0))
      const kids = await admin.must<Row[]>(
        'core.partner',
        'search_read',
        [[['parent_id', '=', 'Parent']], ['name', 'city']],
        { order: 'name' },
      )
      expect(kids).toMatchObject([
        { name: 'Kid 1', city: 'Ulm' },
        { name: 'Kid 2', city: null },
      ])
    })
  })

  test('a path over a link is refused, since its value belongs to another record', async () => {
    const { id } = await stage(admin, 'name,parent_id.email\nLinked,a@example.com\n')
    const answer = await confirm(admin, id, { name: 'name', 'parent_id.email': 'parent_id.email' })
    expect(answer.error?.details['fields']).toEqual({
      'parent_id.email': 'Is a value of another record: import it as Contact.',
    })
  })

  describe('belongs to its owner', () => {
    test('other users may not see, confirm, cancel or undo it', async () => {
      const { id } = await stage(admin, 'name\nMine alone\n')
      for (const action of ['action_confirm_import', 'action_cancel_import', 'action_dry_run', 'action_undo_import'])
        expect((await demo.rpc('sys.bulk.import', 'call', [id, action])).error?.code).toBe('ACCESS_DENIED')
      expect((await demo.get(`/web/bulk/errors?id=${id}`)).status).toBe(403)
      expect(await partners('Mine alone')).toEqual([])
    })

    test('it goes through the access of its user: model, fields and rules', async () => {
      const hidden = await stage(demo, 'name,colour\nx,y\n')
      expect((await confirm(demo, hidden.id, { name: 'name', colour: 'colour' })).error).toMatchObject({
        code: 'VALIDATION',
        details: { reason: 'mapping_invalid', fields: { colour: expect.any(String) } },
      })
      expect((await confirm(demo, hidden.id, { name: 'create_uid' })).error?.code).toBe('VALIDATION')
      expect((await confirm(demo, hidden.id, { nothing: 'name' })).error?.code).toBe('VALIDATION')
    })
  })

  test('a cancelled import cannot be confirmed, a finished one not be cancelled', async () => {
    const { id } = await stage(admin, 'name\nCancelled\n')
    expect(await admin.rpc('sys.bulk.import', 'call', [id, 'action_cancel_import'])).toMatchObject({ ok: true })
    expect((await confirm(admin, id)).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'import_closed' } })
    const done = await stage(admin, 'name\nFinished\n')
    await confirm(admin, done.id)
    expect((await admin.rpc('sys.bulk.import', 'call', [done.id, 'action_cancel_import'])).error?.code).toBe('CONFLICT')
  })

  test('the file of refused rows runs no formula, can be imported again and is not for other sites', async () => {
    const file = 'name,"=HYPERLINK(""x"")",latitude\n=cmd|calc,@SUM(1),xx\n\'=guarded,+49 30,-5x\n-1,-2.5,+north\n'
    const { id } = await stage(admin, file)
    const mapping = { name: 'name', '=HYPERLINK("x")': 'city', latitude: 'latitude' }
    expect((await confirm(admin, id, mapping)).error?.details).toMatchObject({ count: 3 })
    expect((await admin.get(`/web/bulk/errors?id=${id}`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const lines = (await (await admin.get(`/web/bulk/errors?id=${id}`)).text()).split('\r\n')
    expect(lines.map((line) => line.replace(/,"?latitude: .*$/, ''))).toEqual([
      `name,"'=HYPERLINK(""x"")",latitude,Reason`,
      "'=cmd|calc,'@SUM(1),xx",
      "'=guarded,'+49 30,'-5x",
      "-1,-2.5,'+north",
      '',
    ])
  })

  test('as a form it redirects with the counts, or back to the mapping with the number of bad rows', async () => {
    const token = { csrf_token: admin.headers['x-csrf-token'] ?? '' }
    const bad = await stage(admin, 'name,latitude\nForm,x\n', { next: '/web?model=core.partner' })
    const refused = await admin.submit('/web/bulk/confirm', {
      ...token,
      id: String(bad.id),
      column_mapping: '{"name":"name","latitude":"latitude"}',
    })
    expect(refused.status).toBe(303)
    expect(refused.headers.get('location')).toBe(`/web?model=sys.bulk.import&view_type=form&id=${bad.id}&msg=invalid_1`)
    const done = await admin.submit('/web/bulk/confirm', {
      ...token,
      id: String(bad.id),
      column_mapping: '{"name":"name"}',
    })
    expect(done.headers.get('location')).toBe('/web?model=core.partner&msg=imported_1_updated_0_skipped_0')
    const other = await stage(admin, 'name\nCancelled form\n', { next: '//evil.example' })
    const cancelled = await admin.submit('/web/bulk/cancel', { ...token, id: String(other.id) })
    expect(cancelled.headers.get('location')).toBe('/web?model=core.partner&view_type=list')
  })
})
