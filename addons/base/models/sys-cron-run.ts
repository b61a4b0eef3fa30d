import { defineModel, type FieldsOf, field } from '#kernel'

export const sysCronRun = defineModel('sys.cron.run', {
  label: 'Run of a Scheduled Job',
  order: 'started_at desc',
  displayName: [],
  rpc: 'read',
  fields: {
    cron_id: field.many2one('sys.cron', { required: true, ondelete: 'cascade', index: true }),
    started_at: field.datetime({ required: true, index: true }),
    duration_ms: field.integer(),
    outcome: field.selection({ done: 'Done', failed: 'Failed', lost: 'Process lost' }),
    error: field.text(),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.cron.run': SysCronRun
  }
  interface SysCronRun extends FieldsOf<typeof sysCronRun> {}
}
