import { defineModel, type FieldsOf, field } from '#kernel'

export const coreTag = defineModel('core.tag', {
  label: 'Partner Tag',
  order: 'name',
  fields: {
    name: field.char({ required: true, size: 100, unique: true }),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'core.tag': CoreTag
  }
  interface CoreTag extends FieldsOf<typeof coreTag> {}
}
