import { defineAddon } from '#kernel'
import sequences from './data/sequences.xml'
import authors from './demo/library.author.csv'
import books from './demo/library.book.csv'
import shelves from './demo/library.shelf.csv'
import { loanSlip } from './documents/loan-slip.ts'
import { libraryAuthor, libraryAuthorBehavior } from './models/library-author.ts'
import { libraryBook, libraryBookBehavior } from './models/library-book.ts'
import { libraryLoan, libraryLoanBehavior } from './models/library-loan.ts'
import { libraryLoanLine, libraryLoanLineBehavior } from './models/library-loan-line.ts'
import { libraryShelf } from './models/library-shelf.ts'
import access from './security/access.csv'
import groups from './security/core.group.csv'
import rules from './security/rules.xml'

export default defineAddon({
  name: 'library',
  version: '1.0',
  summary: 'Books and loans: an addon for tests that uses everything the kernel offers',
  application: true,
  depends: ['base'],
  models: [libraryAuthor, libraryShelf, libraryBook, libraryLoan, libraryLoanLine],
  behaviors: [libraryAuthorBehavior, libraryBookBehavior, libraryLoanBehavior, libraryLoanLineBehavior],
  documents: [loanSlip],
  data: [
    { name: 'security/core.group.csv', text: groups },
    { name: 'security/access.csv', text: access },
    { name: 'security/rules.xml', text: rules },
    { name: 'data/sequences.xml', text: sequences },
  ],
  demo: [
    { name: 'demo/library.author.csv', text: authors },
    { name: 'demo/library.shelf.csv', text: shelves },
    { name: 'demo/library.book.csv', text: books },
  ],
})
