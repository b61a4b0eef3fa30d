import { accessDenied, behavior, extendModel, type FieldsOf, field } from '#kernel'
import { rated } from './rated.ts'

/** The same model, widened: fields, a mixin, more keys of a selection, an action that goes through the original. */
export const libraryBookExtra = extendModel('library.book', {
  mixins: [rated],
  fields: {
    language: field.char({ size: 35 }),
    review_ids: field.one2many('library.review', 'book_id', { label: 'Reviews' }),
    review_count: field.integer({ compute: 'stored' }),
  },
  selections: { state: { reserved: 'Reserved' } },
  constraints: {
    rating_range: { check: 'rating between 0 and 5', fields: ['rating'], message: 'A rating lies between 0 and 5.' },
  },
})

declare module '#kernel' {
  interface LibraryBook extends FieldsOf<typeof libraryBookExtra> {}
}

export const libraryBookExtraBehavior = behavior('library.book', {
  computes: {
    review_count: {
      needs: ['review_ids'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.review_ids.length])),
    },
  },
  checks: [
    {
      needs: ['language'],
      check: (_env, row) =>
        row.language === null || /^[a-z]{2}$/.test(row.language) ? undefined : { language: 'Must be like en.' },
    },
  ],
  actions: {
    async action_mark_lost(env, rows, _vals, next) {
      if (rows.some((row) => row.is_rare)) throw accessDenied('not_permitted', 'A rare book is not simply lost.')
      const result = await next(rows)
      await env.model('library.book').write(
        rows.map((row) => row.id),
        { rating_note: 'Lost.' },
      )
      return result
    },
  },
})
