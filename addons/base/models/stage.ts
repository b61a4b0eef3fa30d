import { defineMixin, field } from '#kernel'

/** The fields of a stage, a column of a board: each addon has a model of its own for its stages. */
export const stage = defineMixin('base.stage', {
  name: field.char({ required: true, size: 100, translate: true }),
  sequence: field.integer({ required: true, default: 10 }),
  fold: field.boolean({ label: 'Folded', help: 'The column of this stage starts narrow.' }),
  active: field.boolean({ default: true }),
})
