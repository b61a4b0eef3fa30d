import { defineModel, type FieldsOf, field } from '#kernel'

/** External ids: the stable names addon data gives to records. */
export const sysXmlid = defineModel('sys.xmlid', {
  label: 'External Id',
  order: 'module, name',
  displayName: ['module', 'name'],
  rpc: 'read',
  fields: {
    module: field.char({ required: true }),
    name: field.char({ required: true }),
    model: field.char({ required: true }),
    res_id: field.integer({ label: 'Record', required: true, index: true }),
    noupdate: field.boolean({ label: 'Keep on Update', help: 'An update of the addon leaves the record as it is.' }),
  },
  constraints: {
    name_unique: { unique: ['module', 'name'], message: 'An external id names one record.' },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.xmlid': SysXmlid
  }
  interface SysXmlid extends FieldsOf<typeof sysXmlid> {}
}
