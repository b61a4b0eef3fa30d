import { defineModel, type FieldsOf, field } from '#kernel'

/** A tree of places; a shelf with a keeper is seen by its keeper only. */
export const libraryShelf = defineModel('library.shelf', {
  label: 'Shelf',
  order: 'sequence, name',
  expandGroups: true,
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    sequence: field.integer({ default: 10 }),
    parent_id: field.many2one('library.shelf', { ondelete: 'cascade' }),
    child_ids: field.one2many('library.shelf', 'parent_id'),
    keeper_id: field.many2one('core.user'),
    book_ids: field.one2many('library.book', 'shelf_id'),
    company_id: field.many2one('core.company'),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'library.shelf': LibraryShelf
  }
  interface LibraryShelf extends FieldsOf<typeof libraryShelf> {}
}
