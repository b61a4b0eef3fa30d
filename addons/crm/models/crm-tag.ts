import { defineModel, type FieldsOf, field } from '#kernel'
import { tag } from '../../base/models/core-tag.ts'

export const crmTag = defineModel('crm.tag', {
  label: 'Lead Tag',
  order: 'name',
  mixins: [tag],
  fields: {
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'crm.tag': CrmTag
  }
  interface CrmTag extends FieldsOf<typeof crmTag> {}
}
