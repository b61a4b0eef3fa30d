import { defineAddon } from '#kernel'
import { libraryBookExtra, libraryBookExtraBehavior } from './models/library-book.ts'
import { libraryReview } from './models/library-review.ts'
import access from './security/access.csv'
import { ranking } from './views/ranking.ts'
import views from './views/review.xml'

export default defineAddon({
  name: 'library_extra',
  version: '1.0',
  summary: 'Reviews and languages: widens the library from outside',
  depends: ['library'],
  models: [libraryReview, libraryBookExtra],
  behaviors: [libraryBookExtraBehavior],
  viewKinds: [ranking],
  data: [
    { name: 'security/access.csv', text: access },
    { name: 'views/review.xml', text: views },
  ],
})
