import { defineMixin, defineModel, type FieldsOf, field } from '#kernel'

/** The fields of a tag: each addon has a separate model for its tags, so that lists do not mix them. */
export const tag = defineMixin('base.tag', {
  name: field.char({ required: true, size: 100, translate: true, unique: true }),
  color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
})

export const coreTag = defineModel('core.tag', {
  label: 'Contact Tag',
  order: 'name',
  mixins: [tag],
  fields: {
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'core.tag': CoreTag
  }
  interface CoreTag extends FieldsOf<typeof coreTag> {}
}
