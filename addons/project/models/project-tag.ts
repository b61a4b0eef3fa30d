import { defineModel, type FieldsOf, field } from '#kernel'

export const projectTag = defineModel('project.tag', {
  label: 'Project Tag',
  order: 'name',
  fields: {
    name: field.char({ required: true, size: 100, unique: true }),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'project.tag': ProjectTag
  }
  interface ProjectTag extends FieldsOf<typeof projectTag> {}
}
