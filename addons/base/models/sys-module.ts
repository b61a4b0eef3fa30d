import { defineModel, type FieldsOf, field } from '#kernel'

/** Written only when modules are changed, never through the ORM. `version` is the module's, not the record's. */
export const sysModule = defineModel('sys.module', {
  label: 'Module',
  order: 'name',
  searchFields: ['name', 'summary'],
  rpc: 'read',
  fields: {
    name: field.char({ label: 'Technical Name', required: true, unique: true }),
    version: field.char({ required: true }),
    summary: field.char({ size: 500 }),
    application: field.boolean({ help: 'An app of the home page, not a part of others.' }),
    depends: field.char({ size: 1_000, help: 'Names of the modules it needs, separated by commas.' }),
    state: field.selection(
      { uninstalled: 'Not Installed', installed: 'Installed', inactive: 'Switched Off' },
      { required: true, default: 'uninstalled' },
    ),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.module': SysModule
  }
  interface SysModule extends FieldsOf<typeof sysModule> {}
}
