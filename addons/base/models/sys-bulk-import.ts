import { behavior, defineModel, type FieldsOf, field } from '#kernel'
import { knownModel } from './checks.ts'

/** An uploaded CSV file that is to be imported into a model, after its columns were mapped to fields. */
export const sysBulkImport = defineModel('sys.bulk.import', {
  label: 'Import',
  order: 'id desc',
  fields: {
    name: field.char({ readonly: true, copy: false, sequence: 'sys.bulk.import' }),
    user_id: field.many2one('core.user', {
      label: 'Owner',
      required: true,
      readonly: true,
      ondelete: 'cascade',
      index: true,
      default: (env) => env.user.id,
    }),
    model: field.char({ required: true, readonly: true }),
    state: field.selection(
      {
        staged: 'Uploaded',
        mapped: 'Mapped',
        running: 'Running',
        done: 'Done',
        failed: 'Failed',
        cancelled: 'Cancelled',
      },
      { required: true, readonly: true, default: 'staged', copy: false, index: true },
    ),
    import_mode: field.selection(
      { create: 'Create', upsert: 'Create or Update' },
      { required: true, default: 'create' },
    ),
    column_mapping: field.json<Readonly<Record<string, unknown>>>(),
    skip_invalid: field.boolean({ label: 'Skip Invalid Rows' }),
    action_id: field.many2one('sys.action', { readonly: true }),
    next: field.char({ label: 'Return To', readonly: true, size: 2_000 }),
    file: field.binary({ readonly: true, copy: false }),
    file_name: field.char({ readonly: true, size: 255 }),
    sha256: field.char({ readonly: true, size: 64 }),
    headers: field.json<readonly string[]>({ readonly: true }),
    fields: field.char({ readonly: true, size: 4_000, help: 'Fields chosen at the upload.' }),
    row_count: field.integer({ readonly: true, default: 0 }),
    created_count: field.integer({ readonly: true, default: 0, copy: false }),
    updated_count: field.integer({ readonly: true, default: 0, copy: false }),
    skipped_count: field.integer({ readonly: true, default: 0, copy: false }),
    problems: field.json<readonly unknown[]>({ readonly: true, copy: false }),
    rejected: field.binary({ label: 'Rejected Rows', readonly: true, copy: false }),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.bulk.import': SysBulkImport
  }
  interface SysBulkImport extends FieldsOf<typeof sysBulkImport> {}
}

export const sysBulkImportBehavior = behavior('sys.bulk.import', {
  checks: [{ needs: ['model'], check: (env, row) => knownModel(env, row.model) }],
})
