import { defineModel, type FieldsOf, field } from '#kernel'

export const sysField = defineModel('sys.field', {
  label: 'Field',
  order: 'model, name',
  searchFields: ['name', 'label'],
  rpc: 'read',
  fields: {
    name: field.char({ label: 'Technical Name', required: true }),
    label: field.char({ required: true }),
    model: field.char({ required: true }),
    model_id: field.many2one('sys.model', { required: true, ondelete: 'cascade', index: true }),
    module: field.char({ required: true, index: true, help: 'The addon that brings the field.' }),
    type: field.char({ required: true }),
    relation: field.char({ label: 'Target Model' }),
    required: field.boolean(),
    readonly: field.boolean(),
    stored: field.boolean(),
    groups: field.char({ help: 'External ids of the groups that may use the field; empty: everybody.' }),
    help: field.text(),
  },
  constraints: {
    name_unique: { unique: ['model', 'name'], message: 'A model has each field once.' },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.field': SysField
  }
  interface SysField extends FieldsOf<typeof sysField> {}
}
