import { behavior, defineModel, explainColumns, type FieldsOf, field, LIMITS, type SavedColumn } from '#kernel'
import { usableModel } from './checks.ts'
import { requireQuota } from './quota.ts'

/** Columns of an export saved under a name; without a user they are offered to all users. */
export const sysExportSet = defineModel('sys.export.set', {
  label: 'Export Set',
  order: 'model, name',
  fields: {
    name: field.char({ required: true, size: 100 }),
    model: field.char({ required: true, index: true }),
    user_id: field.many2one('core.user', {
      label: 'Owner',
      ondelete: 'cascade',
      index: true,
      default: (env) => env.user.id || null,
    }),
    columns: field.json<readonly SavedColumn[]>({
      required: true,
      help: 'Fields and paths, as an export takes them, each with a heading of its own or without: ["name", {"path": "partner_id/city", "heading": "Town"}].',
    }),
  },
  constraints: {
    name_unique: {
      unique: ['model', 'user_id', 'name'],
      isNullEqual: true,
      message: 'You already have a set of this name.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.export.set': SysExportSet
  }
  interface SysExportSet extends FieldsOf<typeof sysExportSet> {}
}

export const sysExportSetBehavior = behavior('sys.export.set', {
  events: { created: (env, ids) => requireQuota(env, 'sys.export.set', ids, LIMITS.exportSets) },
  checks: [
    {
      needs: ['model', 'columns'],
      check: (env, { model, columns }) => {
        const unusable = usableModel(env, model)
        if (unusable) return unusable
        const problem = explainColumns(env, model, columns)
        return problem === null ? undefined : { columns: problem }
      },
    },
  ],
})
