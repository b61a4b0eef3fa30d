import { behavior, defineModel, type Env, type FieldsOf, field, ids } from '#kernel'

const LONG_PAGES = 500
const TAX = 0.07

/** Every field type and most options, so that a test finds an example of each here. */
export const libraryBook = defineModel('library.book', {
  label: 'Book',
  order: 'title',
  displayName: 'title',
  searchFields: ['title', 'isbn'],
  aboutFields: ['author_id', 'state', 'purchase_price'],
  fields: {
    title: field.char({ required: true, size: 200, index: true, tracking: true }),
    isbn: field.char({ label: 'ISBN', size: 17, unique: true, copy: false }),
    summary: field.text({ help: 'What it is about.' }),
    description: field.html(),
    pages: field.integer(),
    weight: field.float({ digits: [8, 3] }),
    price: field.monetary({ tracking: true }),
    purchase_price: field.monetary({ groups: 'library.group_librarian' }),
    currency_id: field.many2one('core.currency', { required: true, default: defaultCurrency }),
    is_rare: field.boolean(),
    published_on: field.date(),
    last_lent_at: field.datetime({ readonly: true, copy: false }),
    state: field.selection(
      { draft: 'Ordered', available: 'Available', lent: 'Lent', lost: 'Lost' },
      { required: true, default: 'draft', tracking: true, copy: false },
    ),
    author_id: field.many2one('library.author', { required: true, ondelete: 'restrict', index: true }),
    co_author_ids: field.many2many('library.author', { label: 'Further Authors' }),
    shelf_id: field.many2one('library.shelf', { ondelete: 'set null', domain: [['active', '=', true]] }),
    tag_ids: field.many2many('core.tag'),
    line_ids: field.one2many('library.loan.line', 'book_id', { label: 'Loans' }),
    cover: field.image(),
    scan: field.binary(),
    metadata: field.json<Readonly<Record<string, unknown>>>(),
    subject: field.reference(),
    company_id: field.many2one('core.company', { index: true, default: (env) => env.user.companyIds[0] ?? null }),
    active: field.boolean({ default: true }),
    author_name: field.char({ related: 'author_id.name', compute: 'stored' }),
    author_country_id: field.many2one('core.country', { related: 'author_id.country_id' }),
    loan_days: field.integer({ compute: 'stored' }),
    is_long: field.boolean({ compute: 'read' }),
    price_with_tax: field.float({ compute: 'read', digits: [20, 4] }),
  },
  constraints: {
    pages_positive: { check: 'pages > 0', fields: ['pages'], message: 'A book has at least one page.' },
    title_unique: { unique: ['author_id', 'title'], message: 'This author already has a book of this title.' },
  },
})

declare module '#kernel' {
  interface Models {
    'library.book': LibraryBook
  }
  interface LibraryBook extends FieldsOf<typeof libraryBook> {}
}

export const libraryBookBehavior = behavior('library.book', {
  computes: {
    loan_days: {
      needs: ['line_ids.days'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.line_ids.reduce((sum, line) => sum + line.days, 0)])),
    },
    is_long: {
      needs: ['pages'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, (row.pages ?? 0) > LONG_PAGES])),
      search: (_env, operator, value) =>
        (operator === '=') === (value === true) ? [['pages', '>', LONG_PAGES]] : ['!', ['pages', '>', LONG_PAGES]],
    },
    price_with_tax: {
      needs: ['price'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.price === null ? null : Number((row.price * (1 + TAX)).toFixed(4))])),
      async inverse(env, values) {
        for (const [id, value] of values) {
          await env.model('library.book').write([id], { price: value === null ? null : value / (1 + TAX) })
        }
      },
    },
  },
  checks: [
    {
      needs: ['published_on', 'author_id.birth_date'],
      check: (_env, { published_on, author_id }) =>
        published_on !== null && author_id?.birth_date && published_on < author_id.birth_date
          ? { published_on: 'The author was not born yet.' }
          : undefined,
    },
    {
      needs: ['state', 'shelf_id'],
      check: (_env, { state, shelf_id }) =>
        state === 'lost' && shelf_id !== null ? { shelf_id: 'A lost book stands on no shelf.' } : undefined,
    },
  ],
  onchange: {
    async author_id(env, draft) {
      if (draft.author_id === null) return undefined
      const [author] = await env.model('library.author').read([draft.author_id], ['name', 'active'])
      return {
        value: draft.summary === null ? { summary: `By ${author?.name}.` } : {},
        warnings: author?.active
          ? []
          : [{ field: 'author_id', title: 'Archived author', message: `${author?.name} is archived.` }],
      }
    },
    state: (_env, draft) => (draft.state === 'lost' ? { value: { shelf_id: null } } : undefined),
  },
  scheduledActions: ['action_make_available', 'action_mark_lost'],
  actions: {
    action_make_available: (env, rows) => env.model('library.book').write(ids(rows), { state: 'available' }),
    action_mark_lost: (env, rows) => env.model('library.book').write(ids(rows), { state: 'lost', shelf_id: null }),
    async action_lend(env, rows, vals) {
      const loan = await env.model('library.loan').create({
        borrower_id: Number(vals['borrower_id']),
        line_ids: rows.map((row) => [0, 0, { book_id: row.id }] as const),
      })
      await env
        .sudo('lending is for those who may not change books')
        .model('library.book')
        .write(ids(rows), { state: 'lent', last_lent_at: env.now.toISOString() })
      return { redirect: `/web?model=library.loan&view_type=form&id=${loan}` }
    },
  },
})

async function defaultCurrency(env: Env): Promise<number | null> {
  const [current] = env.user.companyIds
  if (current === undefined) return null
  const [company] = await env
    .sudo('a default of the company the caller works in', { beyondScope: true })
    .model('core.company')
    .read([current], ['currency_id'])
  return company?.currency_id[0] ?? null
}
