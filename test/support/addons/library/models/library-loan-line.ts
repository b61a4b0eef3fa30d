import { behavior, defineModel, type FieldsOf, field } from '#kernel'

export const libraryLoanLine = defineModel('library.loan.line', {
  label: 'Loan Line',
  order: 'sequence, id',
  displayName: [],
  fields: {
    loan_id: field.many2one('library.loan', { required: true, ondelete: 'cascade', index: true }),
    book_id: field.many2one('library.book', { required: true, ondelete: 'restrict', index: true }),
    sequence: field.integer({ default: 10 }),
    days: field.integer({ required: true, default: 14 }),
    fee: field.monetary({ label: 'Fee per Day', required: true, default: 0 }),
    currency_id: field.many2one('core.currency', { related: 'loan_id.currency_id', compute: 'stored' }),
    subtotal: field.monetary({ compute: 'stored' }),
  },
  constraints: {
    days_range: { check: 'days between 1 and 365', fields: ['days'], message: 'A book is lent for 1 to 365 days.' },
  },
})

declare module '#kernel' {
  interface Models {
    'library.loan.line': LibraryLoanLine
  }
  interface LibraryLoanLine extends FieldsOf<typeof libraryLoanLine> {}
}

export const libraryLoanLineBehavior = behavior('library.loan.line', {
  computes: {
    subtotal: {
      needs: ['days', 'fee'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, Number((row.days * row.fee).toFixed(4))])),
    },
  },
})
