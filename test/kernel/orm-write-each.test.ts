import { expect, test } from 'vitest'
import { writeEach } from '../../kernel/orm/record/write.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { asLib, author, change, make, people, useLibraryStaff } from './library-staff.ts'

useLibraryStaff()

/** Statements that some work sends. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = people.database.statements.length
  await work()
  return people.database.statements.length - before
}

let volume = 0
const newBooks = (count: number) =>
  asLib((env) => {
    const books = Array.from({ length: count }, () => ({
      title: `Volume ${++volume}`,
      author_id: author,
      currency_id: 1,
    }))
    return make(env, 'library.book', ...books)
  })

test('each record gets its own values, in as many statements for many records as for few', async () => {
  const books = await newBooks(60)
  const writeFirst = (count: number) =>
    asLib((env) => {
      const values = new Map(books.slice(0, count).map((id, i) => [id, { title: `Title ${i}`, pages: 10 + i }]))
      return cost(() => env.model('library.book').writeEach(values))
    })
  expect(await writeFirst(60)).toBe(await writeFirst(2))
  const rows = await asLib((env) => env.model('library.book').read(books, ['title', 'pages', 'version']))
  expect(rows[59]).toMatchObject({ title: 'Title 59', pages: 69, version: 2 })
  expect(rows[1]).toMatchObject({ title: 'Title 1', pages: 11, version: 3 })
})

test('records may get different fields, links included', async () => {
  const [one, two, three] = await newBooks(3)
  await asLib(async (env) => {
    const [tag] = await env.model('core.tag').createMany([{ name: 'Each' }])
    const values = new Map([
      [one!, { title: 'One' }],
      [two!, { pages: 2, tag_ids: [tag!] }],
      [three!, { title: 'Three' }],
    ])
    await env.model('library.book').writeEach(values)
    const rows = await env.model('library.book').read([one!, two!, three!], ['title', 'pages', 'tag_ids'])
    expect(rows).toMatchObject([
      { title: 'One', tag_ids: [] },
      { pages: 2, tag_ids: [tag] },
      { title: 'Three', tag_ids: [] },
    ])
  })
})

test('nothing is written if a value or a record is refused', async () => {
  const [one, two] = await newBooks(2)
  const each = (values: readonly (readonly [number, Record<string, unknown>])[]) =>
    asLib((env) => writeEach(env, modelOf(env, 'library.book'), new Map(values)))
  const first = [one!, { title: 'Kept out' }] as const
  await expect(each([first, [two!, { pages: 'x' }]])).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { fields: { pages: expect.any(String) } },
  })
  await expect(each([first, [999_999, { title: 'Nobody' }]])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const [row] = await asLib((env) => env.model('library.book').read([one!], ['title']))
  expect(row?.title).toMatch(/^Volume /)
})

test('any number of edited lines takes the statements of a few; a line with two commands keeps the later value', async () => {
  const [book] = await newBooks(1)
  const loanWith = (count: number) =>
    asLib(async (env) => {
      const [borrower_id] = await env.model('core.partner').search([], { limit: 1 })
      const line_ids = Array.from({ length: count }, (_, i) => [0, 0, { book_id: book, days: 1 + i, fee: 1 }])
      const [loan] = await make(env, 'library.loan', { borrower_id, line_ids })
      const [row] = await env.model('library.loan').read([loan!], ['line_ids'])
      return { loan: loan!, lines: row!.line_ids }
    })
  const edit = async (count: number) => {
    const { loan, lines } = await loanWith(count)
    const line_ids = lines.map((id, i) => [1, id, { days: 100 + i }])
    return {
      loan,
      lines,
      statements: await asLib((env) => cost(() => change(env, 'library.loan', [loan], { line_ids }))),
    }
  }
  const [few, many] = [await edit(2), await edit(50)]
  expect(many.statements).toBe(few.statements)
  const [total] = await asLib((env) => env.model('library.loan').read([many.loan], ['total']))
  expect(total).toMatchObject({ total: 50 * 100 + (49 * 50) / 2 })
  const [line] = few.lines
  await asLib((env) =>
    change(env, 'library.loan', [few.loan], {
      line_ids: [
        [1, line, { days: 7 }],
        [1, line, { days: 8 }],
      ],
    }),
  )
  const [last] = await asLib((env) => env.model('library.loan.line').read([line!], ['days']))
  expect(last?.days).toBe(8)
})
