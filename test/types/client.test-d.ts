/** What the typed client accepts, refuses and answers, checked by `tsc` alone; see `models.test-d.ts`. */
import { createClient, type ErrorCode, ModulusError, type Reason, type Row } from 'modulus/client'
import '../../addons/base/addon.ts'
import '../support/addons/library/addon.ts'
import '../support/addons/library_extra/addon.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const assert = <_T extends true>(): void => undefined

const client = createClient({ url: 'https://erp.example.com', apiKey: 'sk_' })
const books = client.model('library.book')

export function modelNames(): void {
  client.model('core.partner')
  // @ts-expect-error there is no such model
  client.model('core.partners')
  // @ts-expect-error the address is needed
  createClient({ apiKey: 'sk_' })
}

export async function reads(): Promise<void> {
  const [book] = await books.searchRead([['pages', '>', 100]], ['title', 'pages', 'author_id', 'tag_ids', 'state'])
  assert<Equal<keyof NonNullable<typeof book>, 'id' | 'title' | 'pages' | 'author_id' | 'tag_ids' | 'state'>>()
  assert<Equal<NonNullable<typeof book>['title'], string>>()
  assert<Equal<NonNullable<typeof book>['pages'], number | null>>()
  assert<Equal<NonNullable<typeof book>['author_id'], [number, string | null]>>()
  assert<Equal<NonNullable<typeof book>['tag_ids'], number[]>>()
  // @ts-expect-error a field that was not named
  book?.isbn
  // @ts-expect-error unknown field in `fields`
  await books.searchRead([], ['titel'])
  // @ts-expect-error unknown field in the domain
  await books.searchRead([['titel', '=', 'Emma']], ['title'])
  // @ts-expect-error unknown option
  await books.searchRead([], ['title'], { ofset: 3 })

  const read = await books.read([1], ['title', 'write_date'])
  assert<Equal<typeof read, Row<'library.book', 'title' | 'write_date'>[]>>()
  // @ts-expect-error unknown field
  await books.read([1], ['pagse'])

  const [whole] = await books.search()
  assert<Equal<NonNullable<typeof whole>['display_name'], string>>()

  for await (const page of books.pages([], ['title'], { limit: 10 })) {
    assert<Equal<typeof page, Row<'library.book', 'title'>[]>>()
  }
  // @ts-expect-error pages go on by cursor, not by offset
  books.pages([], ['title'], { offset: 10 })
}

export async function groups(): Promise<void> {
  const rows = await books.readGroup({
    domain: [['active', '=', true]],
    groupby: ['author_id', 'tag_ids', 'state', 'published_on:year', 'author_id.country_id.code'],
    fields: [
      { name: 'most', field: 'pages', measure: 'max' },
      { name: 'last', field: 'published_on', measure: 'max' },
      { name: 'worth', field: 'price', measure: 'sum' },
      { name: 'authors', field: 'author_id', measure: 'count_distinct' },
    ],
  })
  const row = rows[0]!
  assert<Equal<(typeof row)['author_id'], [number, string | null] | null>>()
  assert<Equal<(typeof row)['tag_ids'], [number, string | null] | null>>()
  assert<Equal<(typeof row)['state'], 'draft' | 'available' | 'lent' | 'lost' | null>>()
  assert<Equal<(typeof row)['published_on:year'], string | null>>()
  assert<Equal<(typeof row)['author_id.country_id.code'], string | null>>()
  assert<Equal<(typeof row)['most'], number | null>>()
  assert<Equal<(typeof row)['last'], string | null>>()
  assert<Equal<(typeof row)['worth'], number | null>>()
  assert<Equal<(typeof row)['authors'], number>>()
  assert<Equal<(typeof row)['__count'], number>>()
  // @ts-expect-error a measure that was not asked for
  row.least

  const [total] = await books.readGroup({ groupby: [] })
  assert<Equal<NonNullable<typeof total>['__count'], number>>()
  // @ts-expect-error unknown field to group by
  await books.readGroup({ groupby: ['autor_id'] })
  // @ts-expect-error unknown stretch of time
  await books.readGroup({ groupby: ['published_on:decade'] })
  // @ts-expect-error unknown measure
  await books.readGroup({ groupby: [], fields: [{ name: 'middle', field: 'pages', measure: 'median' }] })
  // @ts-expect-error unknown field to measure
  await books.readGroup({ groupby: [], fields: [{ name: 'most', field: 'pagse', measure: 'max' }] })
}

export async function changes(): Promise<void> {
  const id: number = await books.create({ title: 'Emma', author_id: 1 }, { idempotencyKey: 'import-4711' })
  // @ts-expect-error unknown field
  await books.create({ titel: 'Emma' })
  // @ts-expect-error text for a number
  await books.createMany([{ title: 'Emma', pages: '474' }])
  await books.write([id], { pages: 474 }, { baseVersion: { [id]: 3 } })
  // @ts-expect-error not a key of the selection
  await books.write([id], { state: 'burnt' })
  // @ts-expect-error only writes merge
  await books.unlink([id], { baseVersion: { [id]: 3 } })
  // @ts-expect-error a read repeats safely by itself
  await books.read([id], ['title'], { idempotencyKey: 'again' })

  const answer = await books.call(id, 'action_mark_lost')
  if (answer !== true) assert<Equal<typeof answer, { readonly redirect: string }>>()
  await books.onchange({ author_id: 1 }, 'author_id', { fields: ['summary'] })
  // @ts-expect-error unknown field that changed
  await books.onchange({ author_id: 1 }, 'autor_id')
}

export function errors(error: unknown): void {
  if (!(error instanceof ModulusError)) return
  assert<Equal<typeof error.code, ErrorCode>>()
  assert<Equal<typeof error.reason, Reason | null>>()
  if (error.code === 'CONFLICT') return
  // @ts-expect-error no such code
  if (error.code === 'COLLISION') return
}
