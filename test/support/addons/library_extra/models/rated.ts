import { defineMixin, field } from '#kernel'

export const rated = defineMixin('library.rated', {
  rating: field.float({ digits: [3, 2] }),
  rating_note: field.text(),
})
