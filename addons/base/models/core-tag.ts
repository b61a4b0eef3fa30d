import { defineModel, type FieldsOf, field } from '#kernel'
import { tag } from './tag.ts'

export const coreTag = defineModel('core.tag', {
  label: 'Partner Tag',
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
