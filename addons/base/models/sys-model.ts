import { defineModel, type FieldsOf, field } from '#kernel'

/** The installed models, as the module operations last left them; the registry is the truth. */
export const sysModel = defineModel('sys.model', {
  label: 'Model',
  order: 'model',
  searchFields: ['name', 'model'],
  rpc: 'read',
  fields: {
    name: field.char({ label: 'Label', required: true }),
    model: field.char({ label: 'Technical Name', required: true, unique: true }),
    module: field.char({ required: true, index: true }),
    field_ids: field.one2many('sys.field', 'model_id', { label: 'Fields' }),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.model': SysModel
  }
  interface SysModel extends FieldsOf<typeof sysModel> {}
}
