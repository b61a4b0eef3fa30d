import { defineModel, type FieldsOf, field } from '#kernel'

/** The installed models, written by the last install, update or uninstall. The registry is authoritative. */
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
