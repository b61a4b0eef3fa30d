import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'
import { confirm, MULTIPART, multipart, readBatch, stage, upload } from '../support/upload.ts'

type Row = Readonly<Record<string, unknown>>

describeHosts('POST /web/bulk/upload', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  const refusalOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: string; details: { reason: string } } | null }
    return error && `${error.code} ${error.details.reason}`
  }
  const outcome = async (file: Uint8Array | string, fields = {}) => refusalOf(await upload(admin, file, fields))
  const post = (body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}) =>
    admin.fetch(
      '/web/bulk/upload',
      { method: 'POST', body: body as BodyInit },
      { ...MULTIPART, accept: 'application/json', ...headers },
    )

  test('a browser is led to the mapping form; the older address does the same', async () => {
    for (const path of ['/web/bulk/upload', '/web/import/csv']) {
      const response = await admin.fetch(
        path,
        { method: 'POST', body: multipart({ model: 'core.partner' }, 'name\nx\n') as BodyInit, redirect: 'manual' },
        { ...MULTIPART, accept: 'text/html' },
      )
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toMatch(/^\/web\?model=sys\.bulk\.import&view_type=form&id=\d+$/)
    }
  })

  test('it needs a session and its CSRF token, in a header or in the form', async () => {
    const without = admin.without('x-csrf-token')
    expect(await refusalOf(await upload(without, 'name\nx\n'))).toBe('CSRF csrf_token')
    expect(await refusalOf(await upload(without, 'name\nx\n', { csrf_token: 'x'.repeat(64) }))).toBe('CSRF csrf_token')
    const token = admin.headers['x-csrf-token']!
    expect(await refusalOf(await upload(without, 'name\nx\n', { csrf_token: token }))).toBeFalsy()
    expect((await upload(host.anonymous(), 'name\nx\n')).status).toBe(401)
  })

  test('encodings, separators and missing headers are detected', async () => {
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...[...'name;city\nÄnne;Köln\n'].flatMap((char) => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]),
    ])
    const latin = Uint8Array.from('name\tcity\n\xc4nne\tK\xf6ln\n', (char) => char.charCodeAt(0))
    const bom = new TextEncoder().encode('\ufeffname|city\r\nÄnne|Köln\r\n')
    for (const [file, expected] of [
      [utf16, { encoding: 'utf-16le', separator: ';' }],
      [latin, { encoding: 'windows-1252', separator: '\t' }],
      [bom, { encoding: 'utf-8', separator: '|' }],
    ] as const) {
      const batch = await stage(admin, file)
      expect(batch).toMatchObject({
        ...expected,
        headers: ['name', 'city'],
        columns: [{ samples: ['Änne'] }, { samples: ['Köln'] }],
      })
    }
    const kinds = await stage(
      admin,
      'name;phone;mobile;amount;grouped\nAda;+49 30 1234;+49301234567;1.234,50 €;12 345\nBob;+49 301 234;+1;-7;1 234 567,5\n',
    )
    expect(kinds).toMatchObject({
      columns: [{ kind: 'text' }, { kind: 'text' }, { kind: 'text' }, { kind: 'number' }, { kind: 'number' }],
    })
    expect(await stage(admin, 'Ada,ada@example.com,12\nBob,bob@example.com,13\n')).toMatchObject({
      has_header: false,
      headers: ['Column 1', 'Column 2', 'Column 3'],
      row_count: 2,
    })
  })

  test('a file can be read in another way than was detected, until it is imported', async () => {
    const latin = Uint8Array.from('name;note\nK\xf6ln;a,b\n', (char) => char.charCodeAt(0))
    const { id } = await stage(admin, latin)
    const again = async (vals: Readonly<Record<string, string>>) => {
      await admin.must('sys.bulk.import', 'call', [id, 'action_read_again', vals])
      return readBatch(admin, id)
    }
    expect(await again({ separator: ',' })).toMatchObject({ headers: ['name;note'], row_count: 1, column_mapping: {} })
    expect(await again({ separator: ';', has_header: '0' })).toMatchObject({
      headers: ['Column 1', 'Column 2'],
      row_count: 2,
    })
    expect(await again({ has_header: '1', encoding: 'utf-8' })).toMatchObject({
      headers: ['name', 'note'],
      columns: [{ samples: ['K\ufffdln'] }, { samples: ['a,b'] }],
      column_mapping: { name: 'name', note: 'note' },
    })
    const wrong = await admin.rpc('sys.bulk.import', 'call', [id, 'action_read_again', { encoding: 'ebcdic' }])
    expect(wrong.error).toMatchObject({ code: 'BAD_REQUEST', details: { reason: 'input_invalid' } })
    await admin.must('sys.bulk.import', 'call', [id, 'action_cancel_import'])
    const late = await admin.rpc('sys.bulk.import', 'call', [id, 'action_read_again', { encoding: 'utf-8' }])
    expect(late.error?.details).toMatchObject({ reason: 'import_closed' })
  })

  test('quotes, line breaks in cells and a missing last line break are read as RFC 4180 says', async () => {
    const { id } = await stage(admin, 'name,note\r\n"Quoted ""one"", with comma","line 1\r\nline 2"\r\n\r\nQuoted two,')
    await confirm(admin, id, { name: 'name' })
    const rows = await admin.must<{ name: string }[]>('core.partner', 'search_read', [
      [['name', '=like', 'Quoted%']],
      ['name'],
    ])
    expect(rows.map(({ name }) => name).sort()).toEqual(['Quoted "one", with comma', 'Quoted two'])
  })

  test('numbers and dates are read as the file writes them', async () => {
    const { id, column_mapping } = await stage(admin, 'name;latitude;longitude\nComma;"12,5";"-1,25"\n')
    expect(column_mapping).toMatchObject({ latitude: { field: 'latitude', format: '1.234,56' } })
    expect((await confirm(admin, id)).ok).toBe(true)
    expect(
      await admin.must('core.partner', 'search_read', [[['name', '=', 'Comma']], ['latitude', 'longitude']]),
    ).toMatchObject([{ latitude: 12.5, longitude: -1.25 }])
  })

  test('a file that is none is refused with a sentence', async () => {
    expect(await outcome('')).toBe('VALIDATION file_invalid')
    expect(await outcome('\n\n\n')).toBe('VALIDATION file_invalid')
    expect(await outcome('name\n')).toBe('VALIDATION file_invalid')
    expect(await outcome('name,name\na,b\n')).toBe('VALIDATION file_invalid')
    expect(await outcome('__proto__,name\na,b\n')).toBe('VALIDATION file_invalid')
    expect(await outcome('name\n"never closed\n')).toBe('VALIDATION file_invalid')
    expect(await outcome('name\na\0b\n')).toBe('VALIDATION file_invalid')
    expect(await outcome(`${'a'.repeat(300)}\nx\n`)).toBe('VALIDATION file_invalid')
    expect(await outcome('name\nx\n', { model: 'core.nothing' })).toBe('NOT_FOUND model_unknown')
    expect(await outcome('name\nx\n', { model: 'sys.log' })).toBe('NOT_FOUND model_unknown')
    expect(await outcome('name\nx\n', { import_mode: 'replace' })).toBe('BAD_REQUEST input_invalid')
  })

  test('megabytes of blank rows are refused before all of them are read', async () => {
    for (const end of ['\n', '\r', ' ,\r\n']) {
      const blank = end.repeat(Math.floor((LIMITS.uploadBodyBytes - 1_000) / end.length))
      const answer = await (await upload(admin, `name\nx\n${blank}`)).text()
      expect(answer).toContain('more than 100000 rows, blank ones included')
    }
    expect(await outcome(`name\n${'\n'.repeat(60_000)}x\n`)).toBeFalsy()
  }, 60_000)

  test('a bomb is refused and does not keep others waiting', async () => {
    const size = LIMITS.uploadBodyBytes - 1_000
    const bombs = ['a\n', '"', ','].map((unit) => `name\n${unit.repeat(Math.floor(size / unit.length))}`)
    for (const bomb of bombs) {
      const answers = await Promise.all([outcome(bomb), admin.get('/api/health')])
      expect(answers[0]).toBe('VALIDATION file_invalid')
    }
  }, 60_000)

  describe('a form', () => {
    const part = (name: string, value: string) =>
      `--test-boundary-8f2c\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const file = `--test-boundary-8f2c\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\nx\n\r\n`
    const end = '--test-boundary-8f2c--'

    test('that is broken or breaks a limit is BAD_REQUEST', async () => {
      const many = Array.from({ length: LIMITS.uploadFields + 2 }, (_, i) => part(`f${i}`, 'x')).join('')
      for (const body of [
        '',
        'no boundary at all',
        file,
        `${file}--test-boundary-8f2cx`,
        `${file}${file}${end}`,
        `${part('model', 'a')}${part('model', 'b')}${end}`,
        `${many}${end}`,
        `${part('n'.repeat(LIMITS.uploadNameChars + 1), 'x')}${end}`,
        `${part('model', 'x'.repeat(LIMITS.uploadFieldBytes + 1))}${end}`,
        `--test-boundary-8f2c\r\nx: y\r\n\r\nz\r\n${end}`,
        `--test-boundary-8f2c\r\nx: ${'y'.repeat(3_000)}\r\n\r\nz\r\n${end}`,
      ])
        expect([body.slice(0, 60), await refusalOf(await post(body))]).toEqual([
          body.slice(0, 60),
          'BAD_REQUEST multipart_invalid',
        ])
      expect(await refusalOf(await post(`${part('model', 'core.partner')}${end}`))).toBe('BAD_REQUEST input_invalid')
      expect(await refusalOf(await post(`${part('model', 'core.partner')}${part('x', 'y')}${file}${end}`))).toBe(
        'BAD_REQUEST input_invalid',
      )
      expect(await refusalOf(await post(`${part('model', 'core.partner')}${file}${end}`))).toBeFalsy()
    })

    test('needs a boundary, and nothing but a form is taken', async () => {
      expect(await refusalOf(await post('x', { 'content-type': 'multipart/form-data' }))).toBe(
        'BAD_REQUEST multipart_invalid',
      )
      expect(await refusalOf(await post('{}', { 'content-type': 'application/json' }))).toBe(
        'UNSUPPORTED_MEDIA media_type',
      )
      expect(await refusalOf(await post(file, { 'content-encoding': 'gzip' }))).toBe(
        'UNSUPPORTED_MEDIA content_encoding',
      )
    })

    test(`of more than ${LIMITS.uploadBodyBytes} bytes is PAYLOAD_TOO_LARGE`, async () => {
      expect(await outcome('x'.repeat(LIMITS.uploadBodyBytes))).toBe('PAYLOAD_TOO_LARGE body_too_large')
    })
  })

  // The last one: what it imports decides how later files are mapped.
  test('names that no record has, or several, are settled one by one', async () => {
    const twins = await admin.must<number[]>('core.partner', 'create_many', [
      [{ name: 'Settle Twin' }, { name: 'Settle Twin' }],
    ])
    const countries = await admin.must<Row[]>('core.country', 'search_read', [[['code', '=', 'PT']], ['name']])
    const batch = await stage(
      admin,
      'name,country_id,parent_id\nSettle A,Portugual,Settle Twin\nSettle B,Portugual,Settle New\nSettle C,n/a,\nSettle D,nowhere,\n',
    )
    const mapping = (country: object, parent: object) => ({
      name: 'name',
      country_id: { field: 'country_id', values: country },
      parent_id: { field: 'parent_id', values: parent },
    })
    const check = async (column_mapping: object) => {
      const vals = { column_mapping: JSON.stringify(column_mapping) }
      await admin.must('sys.bulk.import', 'call', [batch.id, 'action_dry_run', vals])
      return (await readBatch(admin, batch.id))['preview'] as {
        readonly error: number
        readonly values: readonly Row[]
      }
    }
    const portugal = countries[0]!['id'] as number
    const open = await check(mapping({}, {}))
    expect(open.values).toHaveLength(5)
    expect(open.values[0]).toEqual({
      column: 'country_id',
      value: 'Portugual',
      rows: 2,
      model: 'core.country',
      isSeveral: false,
      isArchived: false,
      choices: expect.arrayContaining([[portugal, 'Portugal']]),
      suggested: portugal,
    })
    expect(open.values.find(({ value }) => value === 'Settle Twin')).toMatchObject({
      isSeveral: true,
      choices: twins.map((id) => [id, 'Settle Twin']),
      suggested: null,
    })
    const settled = mapping(
      { Portugual: portugal, 'n/a': 'empty', nowhere: 'skip' },
      { 'Settle Twin': twins[1]!, 'Settle New': 'create' },
    )
    expect(await check(settled)).toMatchObject({ error: 0, skip: 1, create: 3 })
    expect(await confirm(admin, batch.id, settled)).toMatchObject({
      result: { redirect: expect.stringContaining('msg=imported_3_updated_0_skipped_1') },
    })
    expect(
      await admin.must<Row[]>(
        'core.partner',
        'search_read',
        [[['name', '=like', 'Settle _']], ['country_id', 'parent_id']],
        {
          order: 'name',
        },
      ),
    ).toMatchObject([
      { country_id: [portugal, 'Portugal'], parent_id: [twins[1], 'Settle Twin'] },
      { country_id: [portugal, 'Portugal'], parent_id: [expect.any(Number), 'Settle New'] },
      { country_id: null, parent_id: null },
    ])
    // The next file begins with what was settled.
    const next = await stage(admin, 'name,country_id\nSettle again,Portugual\n')
    expect(next.column_mapping).toMatchObject({ country_id: { values: { Portugual: portugal } } })
    // A record that the caller cannot read, or that is gone, settles nothing.
    const gone = mapping({ Portugual: 2_000_000_000 }, {})
    const { id } = await stage(admin, 'name,country_id,parent_id\nSettle Z,Portugual,\n')
    expect(await confirm(admin, id, gone)).toMatchObject({ error: { details: { reason: 'rows_invalid', count: 1 } } })
    for (const values of [{ a: 0 }, { a: 'match' }, { a: null }, []])
      expect(await confirm(admin, id, mapping(values, {}))).toMatchObject({ error: { code: 'VALIDATION' } })
  })
})
