import {
  behavior,
  bumpViewEpoch,
  defineModel,
  type Env,
  type FieldsOf,
  field,
  isContentViewType,
  PAGE_RECORDS,
} from '#kernel'
import { knownModel, readableDomain } from './checks.ts'

/** A window action: which records of a model a menu or button opens, in which views. */
export const sysAction = defineModel('sys.action', {
  label: 'Action',
  order: 'name',
  fields: {
    name: field.char({ required: true, size: 200 }),
    model: field.char({ required: true, index: true }),
    record_name: field.char({
      label: 'One Record',
      size: 100,
      help: 'What one of its records is called, such as Quotation. Empty: as the model.',
    }),
    record_names: field.char({ label: 'Several Records', size: 100, help: 'The same for several: Quotations.' }),
    view_modes: field.char({ required: true, default: 'list,form', help: 'View types in the order of their tabs.' }),
    view_id: field.many2one('sys.view', { label: 'First View' }),
    search_view_id: field.many2one('sys.view', { label: 'Search View' }),
    domain: field.text(),
    context: field.json<Readonly<Record<string, unknown>>>({
      help: '`default_<field>` fills new records, `search_default_<name>` switches a filter on.',
    }),
    limit: field.integer({ label: 'Records per Page', default: PAGE_RECORDS }),
    target: field.selection({ current: 'Page', new: 'Dialog' }, { required: true, default: 'current' }),
    help: field.html({ help: 'Shown while there is no record.' }),
    group_ids: field.many2many('core.group', { label: 'Groups', help: 'Empty: everybody.' }),
    active: field.boolean({ default: true }),
    module: field.char({ readonly: true, index: true }),
  },
  constraints: {
    limit_range: { check: '"limit" between 1 and 500', fields: ['limit'], message: 'A page has 1 to 500 records.' },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.action': SysAction
  }
  interface SysAction extends FieldsOf<typeof sysAction> {}
}

export const sysActionBehavior = behavior('sys.action', {
  checks: [
    { needs: ['model'], check: (env, row) => knownModel(env, row.model) },
    { needs: ['model', 'domain'], check: (env, row) => readableDomain(env, row.model, row.domain) },
    { needs: ['view_modes'], check: (env, row) => knownViewModes(env, row.view_modes) },
  ],
  events: { created: bumpViewEpoch, updated: bumpViewEpoch, deleting: bumpViewEpoch },
})

function knownViewModes({ registry }: Env, modes: string): { readonly view_modes: string } | undefined {
  const unknown = modes.split(',').filter((mode) => !isContentViewType(registry, mode))
  return unknown.length === 0 ? undefined : { view_modes: `Unknown view types: ${unknown.join(', ')}.` }
}
