import { beforeAll, expect, test } from 'vitest'
import type { Agent, Envelope } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { readBatch, stage } from '../support/upload.ts'

/** JSON.parse makes these infinite, which JSON cannot express. */
const TOO_LARGE = [
  '1e400',
  '-1e400',
  '[1e400]',
  '{"a":[null,{"b":[-1e999]}]}',
  `${'['.repeat(20)}1e400${']'.repeat(20)}`,
]

describeHost('a field of JSON', 'process', (host) => {
  let admin: Agent
  let book: number
  beforeAll(async () => {
    admin = await host.signIn('admin')
    const author_id = await admin.must<number>('library.author', 'create', [{ name: 'Json' }])
    book = await admin.must<number>('library.book', 'create', [
      { title: 'Json', author_id, currency_id: 1, metadata: { kept: 1e300 } },
    ])
  })

  /** The arguments are text, since JavaScript cannot write the number as JSON. */
  const call = async (method: string, args: string): Promise<Envelope> => {
    const response = await admin.post(`{"model":"library.book","method":"${method}","args":${args}}`)
    return (await response.json()) as Envelope
  }
  const metadata = async () =>
    (await admin.must<{ metadata: unknown }[]>('library.book', 'read', [[book], ['metadata']]))[0]!.metadata

  test.each(TOO_LARGE)('refuses a number that is too large: %s', async (value) => {
    const values = `{"title":${JSON.stringify(`With ${value}`)},"author_id":1,"currency_id":1,"metadata":${value}}`
    for (const [method, args] of [
      ['create', `[${values}]`],
      ['create_many', `[[${values}]]`],
      ['write', `[[${book}],{"metadata":${value}}]`],
    ] as const) {
      const { error } = await call(method, args)
      expect(error).toMatchObject({
        code: 'VALIDATION',
        details: { reason: 'value_invalid', fields: { metadata: 'Contains a number that is too large.' } },
      })
    }
    expect(await metadata()).toEqual({ kept: 1e300 })
  })

  test('takes the largest number, and text like a larger one', async () => {
    const value = { a: [1.797e308, -1.797e308, 5e-324], b: '1e400' }
    await admin.must('library.book', 'write', [[book], { metadata: value }])
    expect(await metadata()).toEqual(value)
    await admin.must('library.book', 'write', [[book], { metadata: { kept: 1e300 } }])
  })

  const expectCellRefused = async (value: string) => {
    const file = `.id,metadata\r\n${book},"${value.replaceAll('"', '""')}"\r\n`
    const { id } = await stage(admin, file, { model: 'library.book', import_mode: 'upsert' })
    await admin.must('sys.bulk.import', 'call', [id, 'action_dry_run'])
    expect((await readBatch(admin, id))['preview']).toMatchObject({ error: 1, update: 0 })
    expect(await metadata()).toEqual({ kept: 1e300 })
  }

  test.each(TOO_LARGE)('refuses it in the cell of a file: %s', expectCellRefused)

  test.each([
    ['is nested very deeply', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['has a NUL', '"\\u0000"'],
    ['is none', '{a}'],
  ])('refuses JSON in the cell of a file that %s', (_name, value) => expectCellRefused(value))
})
