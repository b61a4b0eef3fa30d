import { behavior, defineModel, type FieldsOf, field } from '#kernel'

export const libraryAuthor = defineModel('library.author', {
  label: 'Author',
  order: 'name',
  fields: {
    name: field.char({ required: true, size: 100, index: true }),
    pen_name: field.char({ size: 100, unique: true, copy: false }),
    birth_date: field.date(),
    country_id: field.many2one('core.country'),
    photo: field.image(),
    book_ids: field.one2many('library.book', 'author_id', { label: 'Books' }),
    co_book_ids: field.many2many('library.book', {
      label: 'Books with Others',
      relationTable: { table: 'library_book_co_author_ids_rel', left: 'target_id', right: 'source_id' },
    }),
    book_count: field.integer({ compute: 'stored' }),
    page_count: field.integer({ compute: 'read', help: 'Pages of all books.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'library.author': LibraryAuthor
  }
  interface LibraryAuthor extends FieldsOf<typeof libraryAuthor> {}
}

export const libraryAuthorBehavior = behavior('library.author', {
  computes: {
    book_count: {
      needs: ['book_ids'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.book_ids.length])),
    },
    page_count: {
      needs: ['book_ids.pages'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.book_ids.reduce((sum, book) => sum + (book.pages ?? 0), 0)])),
    },
  },
})
