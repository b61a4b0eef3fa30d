import { type AuditKind, defineModel, type FieldsOf, field } from '#kernel'

const KINDS: Readonly<Record<AuditKind, string>> = {
  sign_in: 'Signed in',
  sign_in_refused: 'Sign-in refused',
  sign_out_all: 'Signed out everywhere',
  session_ended: 'Ended session',
  password_changed: 'Changed password',
  user_added: 'Added user',
  user_invited: 'Made link',
  user_changed: 'Changed login or address',
  user_deactivated: 'Deactivated user',
  user_activated: 'Activated user',
  user_deleted: 'Deleted user',
  rights_changed: 'Changed rights',
  key_made: 'Made API key',
  key_revoked: 'Revoked API key',
  module_installed: 'Installed app',
  module_updated: 'Updated app',
  module_removed: 'Removed app',
  module_on: 'Switched app on',
  module_off: 'Switched app off',
  exported: 'Exported',
  imported: 'Imported',
  import_undone: 'Undid import',
  settings_changed: 'Changed setting',
}

/** The audit trail. The kernel writes it, and the database refuses to change or remove a line. */
export const sysAudit = defineModel('sys.audit', {
  label: 'Audit Entry',
  order: 'id desc',
  displayName: 'kind',
  searchFields: ['actor', 'subject', 'detail', 'address'],
  rpc: 'read',
  fields: {
    kind: field.selection(KINDS, { label: 'What', required: true, readonly: true, index: true }),
    actor: field.char({
      label: 'Who',
      readonly: true,
      help: 'By the name the user had. Empty: nobody with that login.',
    }),
    actor_number: field.integer({ label: 'Id of the User', readonly: true, index: true }),
    address: field.char({ label: 'From Address', readonly: true, help: 'The address of the caller.' }),
    subject: field.char({ label: 'About', readonly: true, help: 'What it was done to.' }),
    detail: field.char({ readonly: true }),
    who: field.char({ compute: 'read', help: 'The name the user had, or that nobody has that login.' }),
    about: field.char({ compute: 'read', help: 'What it was done to, in words of the reader.' }),
    told: field.char({ label: 'Detail', compute: 'read', help: 'The detail in words of the reader.' }),
    request_id: field.char({ readonly: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.audit': SysAudit
  }
  interface SysAudit extends FieldsOf<typeof sysAudit> {}
}
