import { behavior, defineModel, type FieldsOf, field, ids, nextNumbers } from '#kernel'

export const libraryLoan = defineModel('library.loan', {
  label: 'Loan',
  order: 'date_loan desc, id desc',
  fields: {
    name: field.char({ readonly: true, copy: false, size: 32 }),
    borrower_id: field.many2one('core.partner', { required: true, ondelete: 'restrict' }),
    borrower_email: field.char({ related: 'borrower_id.email' }),
    borrower_country_id: field.many2one('core.country', { related: 'borrower_id.country_id', compute: 'stored' }),
    // Librarians of other companies may handle a loan too, so the company is not checked.
    user_id: field.many2one('core.user', {
      label: 'Librarian',
      checkCompany: false,
      default: (env) => env.user.id || null,
    }),
    date_loan: field.datetime({ required: true, default: (env) => env.now.toISOString() }),
    date_due: field.date(),
    state: field.selection({ open: 'Open', returned: 'Returned' }, { required: true, default: 'open', tracking: true }),
    line_ids: field.one2many('library.loan.line', 'loan_id', { label: 'Books', copy: true }),
    currency_id: field.many2one('core.currency'),
    total: field.monetary({ compute: 'stored' }),
    line_count: field.integer({ compute: 'stored' }),
    company_id: field.many2one('core.company', { index: true, default: (env) => env.user.companyIds[0] ?? null }),
    note: field.text(),
  },
})

declare module '#kernel' {
  interface Models {
    'library.loan': LibraryLoan
  }
  interface LibraryLoan extends FieldsOf<typeof libraryLoan> {}
}

export const libraryLoanBehavior = behavior('library.loan', {
  computes: {
    total: {
      needs: ['line_ids.subtotal'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.line_ids.reduce((sum, line) => sum + (line.subtotal ?? 0), 0)])),
    },
    line_count: {
      needs: ['line_ids'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.line_ids.length])),
    },
  },
  events: {
    async created(env, created) {
      const names = await nextNumbers(env, 'library.loan', created.length)
      for (const [i, id] of created.entries()) {
        await env
          .sudo('a new loan gets its number', { beyondScope: true })
          .model('library.loan')
          .write([id], { name: names[i]! })
      }
    },
  },
  actions: {
    async action_return(env, rows) {
      const lines = rows.flatMap((row) => row.line_ids)
      const books = await env.model('library.loan.line').read(lines, ['book_id'])
      await env
        .sudo('returning is for those who may not change books')
        .model('library.book')
        .write(
          books.map((line) => line.book_id[0]),
          { state: 'available' },
        )
      return env.model('library.loan').write(ids(rows), { state: 'returned' })
    },
  },
})
