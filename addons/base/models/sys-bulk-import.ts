import {
  AppError,
  afterImport,
  behavior,
  cancelImport,
  confirmImport,
  conflict,
  defineModel,
  type Env,
  type FieldsOf,
  field,
  forgetBatches,
  ids,
  mayUndoImports,
  readAgain,
  resultHref,
  tryImport,
  undoImport,
} from '#kernel'
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
        undone: 'Undone',
      },
      { required: true, readonly: true, default: 'staged', copy: false, index: true },
    ),
    import_mode: field.selection(
      { create: 'Create', upsert: 'Create or Update' },
      { required: true, default: 'create' },
    ),
    column_mapping: field.json<Readonly<Record<string, unknown>>>({ size: 100_000 }),
    remember: field.boolean({
      label: 'Remember the Mapping',
      default: true,
      help: 'Later files of the owner with the same columns are mapped like this one.',
    }),
    skip_invalid: field.boolean({ label: 'Skip Invalid Rows' }),
    action_id: field.many2one('sys.action', { readonly: true }),
    defaults: field.json<readonly unknown[]>({
      label: 'Values of New Records',
      readonly: true,
      holdsOthers: true,
      size: 20_000,
      help: 'What New would fill in, in the list that the import was begun from.',
    }),
    with_defaults: field.boolean({
      label: 'Use the Values of the List',
      default: true,
      help: 'New records get them where the file has no column for them.',
    }),
    next: field.char({ label: 'Return To', readonly: true, size: 2_000 }),
    file: field.binary({ readonly: true, copy: false }),
    file_name: field.char({ readonly: true, size: 255 }),
    sha256: field.char({ readonly: true, size: 64 }),
    encoding: field.char({ readonly: true, size: 20 }),
    separator: field.char({ readonly: true, size: 1 }),
    has_header: field.boolean({ label: 'First Row Names Columns', readonly: true, default: true }),
    headers: field.json<readonly string[]>({ readonly: true }),
    choices: field.json<readonly unknown[]>({
      readonly: true,
      size: 200_000,
      help: 'Fields that a column may go to.',
    }),
    columns: field.json<readonly unknown[]>({ readonly: true, size: 200_000, help: 'Samples of each column.' }),
    fields: field.char({ readonly: true, size: 4_000, help: 'Fields chosen at the upload.' }),
    row_count: field.integer({ readonly: true, default: 0 }),
    created_count: field.integer({ readonly: true, default: 0, copy: false }),
    updated_count: field.integer({ readonly: true, default: 0, copy: false }),
    skipped_count: field.integer({ readonly: true, default: 0, copy: false }),
    preview: field.json<unknown>({
      label: 'Dry Run',
      readonly: true,
      holdsOthers: true,
      copy: false,
      size: 1_000_000,
      help: 'What the last dry run would have done.',
    }),
    problems: field.json<readonly unknown[]>({ readonly: true, copy: false, size: 200_000 }),
    undo_report: field.json<unknown>({
      label: 'Undo',
      readonly: true,
      holdsOthers: true,
      copy: false,
      size: 200_000,
    }),
    may_undo: field.boolean({
      label: 'Can Be Undone',
      compute: 'read',
      help: 'The reader has the rights to undo something of it.',
    }),
    rejected: field.binary({ label: 'Rejected Rows', readonly: true, copy: false }),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.bulk.import': SysBulkImport
  }
  interface SysBulkImport extends FieldsOf<typeof sysBulkImport> {}
}

/** The id of the only selected import; an action on several is refused. */
function only(env: Env, rows: readonly { readonly id: number }[]): number {
  if (rows.length !== 1) throw conflict('import_closed', env.t('Choose one import.'))
  return rows[0]!.id
}

export const sysBulkImportBehavior = behavior('sys.bulk.import', {
  computes: {
    may_undo: {
      needs: ['state'],
      async run(env, rows) {
        const finished = rows.filter(({ state }) => state === 'done')
        const mine = await mayUndoImports(env, ids(finished))
        return new Map(rows.map(({ id }) => [id, mine.has(id)]))
      },
    },
  },
  checks: [{ needs: ['model'], check: (env, row) => knownModel(env, row.model) }],
  actions: {
    async action_confirm_import(env, rows, vals) {
      const result = await confirmImport(env, only(env, rows), vals)
      return result instanceof AppError ? result : { redirect: resultHref(result) }
    },
    async action_cancel_import(env, rows) {
      return { redirect: afterImport(await cancelImport(env, only(env, rows))) }
    },
    async action_dry_run(env, rows, vals) {
      await tryImport(env, only(env, rows), vals)
      return true
    },
    async action_read_again(env, rows, vals) {
      await readAgain(env, only(env, rows), vals)
      return true
    },
    async action_undo_import(env, rows) {
      await undoImport(env, only(env, rows))
      return true
    },
  },
  events: { deleting: (env, ids) => forgetBatches(env, ids) },
})
