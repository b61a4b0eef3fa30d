import { defineModel, type FieldsOf, field } from '#kernel'

/** Log entries of the service; secrets are removed before they are stored. */
export const sysLog = defineModel('sys.log', {
  label: 'Log Entry',
  order: 'id desc',
  displayName: ['level', 'source'],
  rpc: 'read',
  fields: {
    level: field.selection(
      { debug: 'Debug', info: 'Info', warning: 'Warning', error: 'Error' },
      { required: true, default: 'info', index: true },
    ),
    source: field.char({ required: true, size: 100 }),
    message: field.text({ required: true }),
    details: field.json<Readonly<Record<string, unknown>>>(),
    request_id: field.char({ size: 128, index: true }),
    user_id: field.many2one('core.user'),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.log': SysLog
  }
  interface SysLog extends FieldsOf<typeof sysLog> {}
}
