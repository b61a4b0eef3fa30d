import {
  behavior,
  bumpViewEpoch,
  defineModel,
  explainView,
  type FieldsOf,
  field,
  ids,
  VIEW_TYPE_LABELS,
  type ViewProvenance,
  viewProvenance,
} from '#kernel'
import { knownModel } from './checks.ts'

export const sysView = defineModel('sys.view', {
  label: 'View',
  order: 'priority, id',
  fields: {
    name: field.char({ required: true, size: 200 }),
    model: field.char({ required: true, index: true }),
    type: field.selection(VIEW_TYPE_LABELS, { required: true }),
    arch: field.text({ label: 'Definition', required: true, size: 262_144 }),
    inherit_id: field.many2one('sys.view', { label: 'Extends', ondelete: 'cascade', index: true }),
    inherit_children_ids: field.one2many('sys.view', 'inherit_id', { label: 'Extensions' }),
    priority: field.integer({ required: true, default: 16 }),
    mode: field.selection(
      { primary: 'Independent', extension: 'Extension' },
      {
        required: true,
        default: 'primary',
        defaultFrom: ({ inherit_id }) => (inherit_id ? 'extension' : undefined),
        help: 'An extension changes its parent; an independent view starts from a copy.',
      },
    ),
    active: field.boolean({ default: true }),
    module: field.char({ readonly: true, index: true }),
    /** Source of both fields below: the views are loaded and combined only once for both. */
    provenance: field.json<ViewProvenance>({ compute: 'read', size: 4 * 262_144 }),
    result: field.text({
      label: 'As Shown',
      compute: 'read',
      help: 'With all extensions. Comments name the addon and the view a part comes from.',
    }),
    problems: field.text({
      label: 'Mistakes',
      compute: 'read',
      help: 'What does not fit, and is left out of the view.',
    }),
  },
  parentField: 'inherit_id',
  constraints: {
    extension_has_parent: {
      check: "mode <> 'extension' or inherit_id is not null",
      fields: ['inherit_id'],
      message: 'An extension needs the view it extends.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.view': SysView
  }
  interface SysView extends FieldsOf<typeof sysView> {}
}

export const sysViewBehavior = behavior('sys.view', {
  computes: {
    provenance: {
      needs: ['arch'],
      run: async (env, rows) => {
        const views = await viewProvenance(env, ids(rows))
        // A view that is switched off has no provenance.
        return new Map(rows.map(({ id }) => [id, views.get(id) ?? null]))
      },
    },
    result: {
      needs: ['provenance'],
      run: (_env, rows) => new Map(rows.map(({ id, provenance }) => [id, provenance?.result || null])),
    },
    problems: {
      needs: ['provenance'],
      run: (_env, rows) => new Map(rows.map(({ id, provenance }) => [id, provenance?.problems.join('\n') || null])),
    },
  },
  checks: [
    { needs: ['model'], check: (env, row) => knownModel(env, row.model) },
    {
      needs: ['model', 'inherit_id.model'],
      check: (_env, row) =>
        row.inherit_id === null || row.inherit_id.model === row.model
          ? undefined
          : { inherit_id: 'A view extends a view of the same model.' },
    },
    {
      needs: ['type', 'arch', 'inherit_id', 'model', 'mode', 'priority', 'active'],
      check: async (env, { id, type, arch, inherit_id }) => {
        const problem = await explainView(env, { id, type, arch, inheritId: inherit_id })
        return problem === null ? undefined : { arch: problem }
      },
    },
  ],
  onchange: {
    inherit_id: (_env, { inherit_id }) => ({
      value: { mode: inherit_id ? ('extension' as const) : ('primary' as const) },
    }),
  },
  events: { created: bumpViewEpoch, updated: bumpViewEpoch, deleting: bumpViewEpoch },
})
