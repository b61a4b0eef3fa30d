import { defineModel, type FieldsOf, field } from '#kernel'
import { rated } from './rated.ts'

export const libraryReview = defineModel('library.review', {
  label: 'Review',
  mixins: [rated],
  fields: {
    book_id: field.many2one('library.book', { required: true, ondelete: 'cascade' }),
    user_id: field.many2one('core.user', { default: (env) => env.user.id || null }),
  },
  constraints: {
    one_per_user: { unique: ['book_id', 'user_id'], message: 'You have already reviewed this book.' },
  },
})

declare module '#kernel' {
  interface Models {
    'library.review': LibraryReview
  }
  interface LibraryReview extends FieldsOf<typeof libraryReview> {}
}
