import type { DocumentDef } from '#kernel'

/** The slip that a borrower gets with the books. */
export const loanSlip: DocumentDef = {
  name: 'loan_slip',
  model: 'library.loan',
  title: { path: 'state', titles: { open: 'Loan Slip', returned: 'Receipt' } },
  number: 'name',
  lang: 'borrower_id.lang',
  company: 'company_id',
  address: [['borrower_id.name'], ['borrower_id.zip', 'borrower_id.city']],
  facts: [
    { label: 'Lent on', path: 'date_loan' },
    { label: 'Due on', path: 'date_due' },
  ],
  lines: {
    path: 'line_ids',
    columns: [
      { label: 'Book', path: 'book_id' },
      { label: 'Days', path: 'days' },
      { label: 'Fee', path: 'subtotal' },
    ],
  },
  sum: { currency: 'currency_id', facts: [], total: { label: 'Fees', path: 'total' } },
  texts: [{ heading: 'House Rules', path: 'note' }],
}
