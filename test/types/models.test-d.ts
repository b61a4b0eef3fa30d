/**
 * What the compiler must accept and refuse, checked by `tsc` alone: every refusal stands under `@ts-expect-error`, which is
 * itself an error as soon as the line compiles, and has a twin that must compile.
 */
import { behavior, type Domain, defineModel, type Env, extendModel, type FieldsOf, field, type Row } from '#kernel'
import '../../addons/base/addon.ts'
import '../support/addons/library/addon.ts'
import '../support/addons/library_extra/addon.ts'

declare const env: Env

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const assert = <_T extends true>(): void => undefined

const book = env.model('library.book')

export function modelNames(): void {
  env.model('library.book')
  // @ts-expect-error there is no such model
  env.model('library.bok')
}

export async function privateFields(): Promise<void> {
  const [user] = await env.model('core.user').read([1], ['name', 'login'])
  // Others than the user and administrators read null, although every user has a login.
  assert<Equal<NonNullable<typeof user>, Row<'core.user', 'name' | 'login'>>>()
  assert<Equal<Row<'core.user', 'login'>['login'], string | null>>()
  assert<Equal<Row<'core.user', 'name'>['name'], string>>()
  await env.model('core.user').write([1], { login: 'ann' })
  // @ts-expect-error a login is required
  await env.model('core.user').write([1], { login: null })
  behavior('core.user', { checks: [{ needs: ['login'], check: (_env, { login }) => void login.trim() }] })
}

export async function domains(): Promise<void> {
  await book.search([['title', 'ilike', 'emma']])
  // @ts-expect-error unknown field
  await book.search([['titel', 'ilike', 'emma']])

  await book.search(['|', ['pages', '>', 100], '!', ['state', 'in', ['draft', 'lost']]])
  // @ts-expect-error unknown prefix operator
  await book.search(['^', ['pages', '>', 100], ['pages', '<', 10]])
  // @ts-expect-error unknown operator
  await book.search([['pages', '=>', 100]])

  await book.search([['author_id.country_id.code', '=', 'PL']])
  // @ts-expect-error unknown field at the end of a path
  await book.search([['author_id.country_id.iso', '=', 'PL']])
  // @ts-expect-error a path through a field that links to nothing
  await book.search([['title.name', '=', 'Emma']])

  await book.search([['line_ids', 'any', [['days', '>', 7]]]])
  // @ts-expect-error unknown field inside a hop
  await book.search([['line_ids', 'any', [['day', '>', 7]]]])

  await book.search([['published_on.year', '=', 1961]])
  await book.search([['author_id.create_date.year', '=', 1961]])
  // @ts-expect-error unknown part of a date
  await book.search([['published_on.decade', '=', 196]])

  // Fields the kernel gives to every model, and those another addon brings.
  await book.search([
    ['create_uid.login', '=', 'admin'],
    ['review_count', '>', 0],
    ['rating', '>=', 4],
  ])

  const stored: Domain<'library.shelf'> = [['parent_id', 'child_of', 3]]
  await env.model('library.shelf').search(stored)
  // @ts-expect-error a domain of another model
  await env.model('core.currency').search(stored)
}

export async function reads(): Promise<void> {
  const [row] = await book.searchRead([], ['title', 'pages', 'author_id', 'tag_ids', 'state', 'is_rare', 'price'])
  assert<Equal<NonNullable<typeof row>['title'], string>>()
  assert<Equal<NonNullable<typeof row>['pages'], number | null>>()
  assert<Equal<NonNullable<typeof row>['author_id'], [number, string | null]>>()
  assert<Equal<NonNullable<typeof row>['tag_ids'], number[]>>()
  assert<Equal<NonNullable<typeof row>['state'], 'draft' | 'available' | 'lent' | 'lost'>>()
  assert<Equal<NonNullable<typeof row>['is_rare'], boolean>>()
  assert<Equal<NonNullable<typeof row>['price'], number | null>>()
  row?.title
  // @ts-expect-error a field that was not read
  row?.isbn

  await book.read([1], ['title', 'version', 'display_name'])
  // @ts-expect-error unknown field
  await book.read([1], ['title', 'nothing'])
  // @ts-expect-error unknown field
  await book.searchRead([], ['titel'])

  const shown: Row<'library.loan', 'total'> = { id: 1, total: 3 }
  void shown
}

export async function values(): Promise<void> {
  await book.create({ title: 'Emma', author_id: 1, pages: 474, state: 'available', tag_ids: [[4, 1]] })
  // @ts-expect-error unknown field
  await book.create({ title: 'Emma', author_id: 1, page: 474 })
  // @ts-expect-error text for a number
  await book.create({ title: 'Emma', author_id: 1, pages: '474' })
  // @ts-expect-error not a key of the selection
  await book.write([1], { state: 'burnt' })
  // @ts-expect-error not a command
  await book.write([1], { tag_ids: [[9, 1]] })
  // @ts-expect-error fields of the kernel are not written
  await book.write([1], { version: 7 })
  // @ts-expect-error a required value cannot be cleared
  await book.write([1], { title: null })
  await book.write([1], { isbn: null, language: 'en' })
}

export const relationTargets = {
  good: field.many2one('library.shelf'),
  // @ts-expect-error there is no such model
  many2one: field.many2one('library.shelve'),
  // @ts-expect-error there is no such model
  one2many: field.one2many('library.loans', 'book_id'),
  // @ts-expect-error there is no such model
  many2many: field.many2many('library.tag'),
}

export const extensions = {
  good: extendModel('library.book', { fields: { spine: field.char() } }),
  // @ts-expect-error there is no such model
  bad: extendModel('library.bok', { fields: { spine: field.char() } }),
}

export const goodBehavior = behavior('library.book', {
  computes: {
    loan_days: {
      needs: ['line_ids.days', 'author_id.country_id.code', 'pages'],
      run: (_env, rows) => {
        for (const row of rows) {
          assert<Equal<(typeof row)['pages'], number | null>>()
          assert<Equal<(typeof row.line_ids)[number]['days'], number>>()
          row.author_id?.country_id?.code
        }
        return new Map(rows.map((row) => [row.id, row.line_ids.length]))
      },
    },
    author_country_id: {
      needs: ['author_id'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.author_id])),
    },
  },
  checks: [
    { needs: ['title'], check: (_env, row) => (row.title === '' ? { title: 'Is empty.' } : undefined) },
    {
      needs: ['pages', 'price'],
      check: (_env, row) => ((row.pages ?? 0) > (row.price ?? 0) ? { pages: 'Odd.' } : undefined),
    },
  ],
  onchange: { title: (_env, draft) => ({ value: { summary: draft.title } }) },
  events: { updated: (_env, _ids, changed) => void changed.has('title') },
})

export const badBehaviors = [
  // @ts-expect-error there is no such model
  behavior('library.bok', {}),
  behavior('library.book', {
    computes: {
      // @ts-expect-error a path that leads nowhere
      loan_days: { needs: ['line_ids.dais'], run: () => new Map() },
    },
  }),
  behavior('library.book', {
    computes: {
      loan_days: {
        needs: ['pages'],
        // @ts-expect-error `price` was not asked for
        run: (_env, rows) => new Map(rows.map((row) => [row.id, row.price])),
      },
    },
  }),
  behavior('library.book', {
    computes: {
      // @ts-expect-error text where the field holds a number
      loan_days: { needs: ['title'], run: (_env, rows) => new Map(rows.map((row) => [row.id, row.title])) },
    },
  }),
  behavior('library.book', {
    computes: {
      // @ts-expect-error no such field to compute
      loan_dais: { needs: ['pages'], run: () => new Map() },
    },
  }),
  behavior('library.book', {
    checks: [
      { needs: ['title'], check: () => undefined },
      // @ts-expect-error a path that leads nowhere
      { needs: ['titel'], check: () => undefined },
    ],
  }),
  behavior('library.book', {
    checks: [
      {
        needs: ['title'],
        // @ts-expect-error `pages` was not asked for
        check: (_env, row) => (row.pages ? { pages: 'No.' } : undefined),
      },
    ],
  }),
  behavior('library.book', {
    checks: [
      {
        needs: ['title'],
        // @ts-expect-error the answer names no field of the model
        check: (_env, row) => (row.title === '' ? { titel: 'Is empty.' } : undefined),
      },
    ],
  }),
  behavior('library.book', {
    onchange: {
      // @ts-expect-error unknown field in the new values
      title: () => ({ value: { sumary: '' } }),
    },
  }),
  behavior('library.book', {
    // @ts-expect-error no such field to react to
    onchange: { titel: () => undefined },
  }),
  behavior('library.book', {
    events: {
      // @ts-expect-error no such field
      updated: (_env, _ids, changed) => void changed.has('titel'),
    },
  }),
]

const defaults = defineModel('types.defaults', {
  label: 'Defaults',
  fields: {
    kind: field.selection({ a: 'A', b: 'B' }, { required: true, default: 'a' }),
    day: field.date({ default: (now) => now.now.toISOString().slice(0, 10) }),
  },
})
assert<Equal<FieldsOf<typeof defaults>['kind'], ReturnType<typeof requiredKind>>>()
const requiredKind = () => field.selection({ a: 'A', b: 'B' }, { required: true })

export const badDefaults = {
  // @ts-expect-error not a key of the selection
  selection: field.selection({ a: 'A', b: 'B' }, { default: 'c' }),
  // @ts-expect-error text for a number
  integer: field.integer({ default: 'one' }),
  // @ts-expect-error no such option
  option: field.char({ lenght: 3 }),
}
