import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { randomOf } from '../support/seeded-random.ts'
import { confirm, readBatch, stage, upload } from '../support/upload.ts'

const FIELDS =
  'isbn,title,summary,pages,weight,price,currency_id,is_rare,published_on,state,author_id,co_author_ids,tag_ids,scan,metadata,subject,active'

describeHost('export and import', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  const exported = async (format: string, model: string, fields: string, domain: unknown, order: string) => {
    const query = new URLSearchParams({ model, fields, domain: JSON.stringify(domain), order, archived: 'include' })
    const response = await admin.get(`/web/export/${format}?${query}`)
    expect(response.status).toBe(200)
    return new Uint8Array(await response.arrayBuffer())
  }
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const imported = async (model: string, file: Uint8Array) => {
    const { id } = await stage(admin, file, { model })
    const answer = await confirm(admin, id)
    expect([answer.error?.details, (await readBatch(admin, id)).state]).toEqual([undefined, 'done'])
  }

  const NASTY = [
    '',
    '=1+1',
    "'=x",
    '-5',
    '+49 30',
    '@cmd',
    'a,b',
    'a;b',
    '"',
    '""quoted""',
    ' blank at the ends ',
    'two\nlines',
    'cr\r\nlf',
    '\ttab',
    'Ünïcödé 😀',
    '<b>&amp;',
    "'",
    '1.234',
    '2026-01-31',
    'true',
    '0',
  ]

  /** Nasty texts for every field of every type, from a seed. */
  const books = (seed: string, authors: readonly number[], tags: readonly number[]) => {
    const random = randomOf(Number(seed))
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const some = (list: readonly number[]) => list.filter(() => random() < 0.4)
    return Array.from({ length: 60 }, (_, i) => ({
      isbn: `${seed}-${String(i).padStart(3, '0')}`,
      title: `${pick(NASTY)}x${pick(NASTY)}`,
      summary: pick(NASTY) + pick(NASTY) || null,
      pages: pick([null, 1, 12, 1_234_567]),
      weight: pick([null, 0, 0.001, 12_345.678, -1.5]),
      price: pick([null, 0, 0.01, 1_234.5]),
      is_rare: random() < 0.5,
      published_on: pick([null, '0800-12-25', '2026-01-31', '1999-12-01']),
      author_id: pick(authors),
      co_author_ids: some(authors),
      tag_ids: some(tags),
      scan: pick([null, 'AAEC', '+/8=', 'PT09']),
      metadata: pick([null, { a: [1, '=x', null] }, { '"': "'" }, {}]),
      subject: pick([null, 'core.partner,1']),
      active: random() < 0.8,
    }))
  }

  test('a file of every field type comes back byte by byte', async () => {
    const seed = process.env['SEED'] ?? '20261'
    const named = NASTY.filter((name) => name.trim() !== '').map((name) => `${name} of ${seed}`)
    const authors = await admin.must<number[]>('library.author', 'create_many', [named.map((name) => ({ name }))])
    const tags = await admin.must<number[]>('core.tag', 'create_many', [named.map((name) => ({ name }))])
    const ids = await admin.must<number[]>('library.book', 'create_many', [books(seed, authors, tags)])
    const domain = [['isbn', '=like', `${seed}-%`]]
    const before = await exported('csv', 'library.book', FIELDS, domain, 'isbn')
    await admin.must('library.book', 'unlink', [ids])
    await imported('library.book', before)
    expect(text(await exported('csv', 'library.book', FIELDS, domain, 'isbn'))).toBe(text(before))
  })

  test('a workbook of our own is read with its numbers, dates and times', async () => {
    const [borrower] = await admin.must<number[]>('core.partner', 'create_many', [[{ name: 'Workbook reader' }]])
    const loans = [
      { note: 'book 1', borrower_id: borrower, date_loan: '2026-03-29T01:30:00.000Z', date_due: '2026-04-30' },
      { note: 'book 2', borrower_id: borrower, date_loan: '2025-12-31T23:59:59.000Z', date_due: null },
    ]
    const ids = await admin.must<number[]>('library.loan', 'create_many', [loans])
    const args = [
      'library.loan',
      'note,borrower_id,date_loan,date_due,state',
      [['borrower_id', '=', borrower]],
      'note',
    ] as const
    const before = text(await exported('csv', ...args))
    const workbook = await exported('xlsx', ...args)
    await admin.must('library.loan', 'unlink', [ids])
    await imported('library.loan', workbook)
    expect(text(await exported('csv', ...args))).toBe(before)
  })

  test('a file with the ids of records, database or external ones, updates them', async () => {
    const ids = await admin.must<number[]>('core.partner', 'create_many', [[{ name: 'Trip 1' }, { name: 'Trip 2' }]])
    for (const [column, name] of [
      ['id', 'Once'],
      ['.id', 'Twice'],
      ['id/id', 'Thrice'],
    ] as const) {
      const file = text(await exported('csv', 'core.partner', `${column},name`, [['id', 'in', ids]], 'id'))
      const { id } = await stage(admin, file.replace(/,(?:Trip|Once|Twice) /g, `,${name} `), { import_mode: 'upsert' })
      expect((await confirm(admin, id)).error).toBeFalsy()
      expect(await readBatch(admin, id)).toMatchObject({ created_count: 0, updated_count: 2 })
      const rows = await admin.must<{ name: string }[]>('core.partner', 'read', [ids, ['name']])
      expect(rows.map((row) => row.name).sort()).toEqual([`${name} 1`, `${name} 2`])
    }
  })

  test('a workbook that is none, or a bomb, is refused', async () => {
    const bomb = await zipBomb(200)
    for (const file of [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), bomb]) {
      const response = await upload(admin, file)
      expect([
        response.status,
        ((await response.json()) as { error: { details: { reason: string } } }).error.details.reason,
      ]).toEqual([422, 'file_invalid'])
    }
  })
})

/** A workbook whose sheet has so many megabytes of one letter. */
async function zipBomb(megabytes: number): Promise<Uint8Array> {
  const letters = new Uint8Array(1_048_576).fill(97)
  const source = new ReadableStream<Uint8Array>({
    start: () => undefined,
    pull(controller) {
      if (megabytes-- > 0) controller.enqueue(letters)
      else controller.close()
    },
  })
  const packed = new Uint8Array(
    await new Response(source.pipeThrough(new CompressionStream('deflate-raw') as never)).arrayBuffer(),
  )
  const name = new TextEncoder().encode('xl/workbook.xml')
  const head = (signature: number, size: number) => {
    const bytes = new DataView(new ArrayBuffer(size))
    bytes.setUint32(0, signature, true)
    return bytes
  }
  const local = head(0x04034b50, 30)
  local.setUint16(8, 8, true)
  local.setUint16(26, name.length, true)
  const central = head(0x02014b50, 46)
  central.setUint16(10, 8, true)
  central.setUint32(20, packed.length, true)
  central.setUint16(28, name.length, true)
  const end = head(0x06054b50, 22)
  end.setUint16(10, 1, true)
  end.setUint32(16, 30 + name.length + packed.length, true)
  return Buffer.concat(
    [local, name, packed, central, name, end].map((part) =>
      part instanceof DataView ? new Uint8Array(part.buffer) : part,
    ),
  )
}
