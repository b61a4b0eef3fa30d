import { defineModel, type FieldsOf, field } from '#kernel'
import { tag } from '../../base/models/core-tag.ts'

export const projectTag = defineModel('project.tag', {
  label: 'Project Tag',
  order: 'name',
  mixins: [tag],
  fields: {
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'project.tag': ProjectTag
  }
  interface ProjectTag extends FieldsOf<typeof projectTag> {}
}
