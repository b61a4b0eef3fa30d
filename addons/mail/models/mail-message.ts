import { defineModel, type FieldsOf, field, LIMITS, type TrackedChange } from '#kernel'

/**
 * A message about a record, or a change of it. Users who may read the record can read its messages, but only through the
 * chatter: the texts are secret fields, because an ordinary read does not look at the fields that a change names.
 */
export const mailMessage = defineModel('mail.message', {
  label: 'Message',
  order: 'id desc',
  displayName: [],
  rpc: 'read',
  threadOf: { model: 'model', id: 'res_id' },
  fields: {
    model: field.char({ required: true, size: 100 }),
    res_id: field.integer({ label: 'Record', required: true, index: true }),
    kind: field.selection({ comment: 'Comment', note: 'Note', tracking: 'Change' }, { required: true }),
    author_id: field.many2one('core.user', { help: 'Empty: the service itself.' }),
    date: field.datetime({ required: true, default: (env) => env.now.toISOString() }),
    body: field.html({ secret: true }),
    changes: field.json<readonly TrackedChange[]>({
      size: LIMITS.answerBytes,
      secret: true,
      help: 'Stored values of fields, old and new.',
    }),
  },
})

declare module '#kernel' {
  interface Models {
    'mail.message': MailMessage
  }
  interface MailMessage extends FieldsOf<typeof mailMessage> {}
}
