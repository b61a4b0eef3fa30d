import { defineModel, type FieldsOf, field } from '#kernel'

export const crmTag = defineModel('crm.tag', {
  label: 'Lead Tag',
  order: 'name',
  fields: {
    name: field.char({ required: true, size: 100, unique: true }),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'crm.tag': CrmTag
  }
  interface CrmTag extends FieldsOf<typeof crmTag> {}
}
