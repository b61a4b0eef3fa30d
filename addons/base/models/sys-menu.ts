import { behavior, bumpViewEpoch, defineModel, type FieldsOf, field } from '#kernel'

export const sysMenu = defineModel('sys.menu', {
  label: 'Menu',
  order: 'sequence, id',
  fields: {
    name: field.char({ required: true, size: 100 }),
    parent_id: field.many2one('sys.menu', { ondelete: 'cascade', index: true }),
    child_ids: field.one2many('sys.menu', 'parent_id', { label: 'Submenus' }),
    action_id: field.many2one('sys.action', { ondelete: 'cascade' }),
    sequence: field.integer({ required: true, default: 10 }),
    icon: field.char({ size: 200, help: 'Name of an icon of the client, or a path below /web/static.' }),
    group_ids: field.many2many('core.group', { label: 'Groups', help: 'Empty: everybody.' }),
    active: field.boolean({ default: true }),
    module: field.char({ readonly: true, index: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'sys.menu': SysMenu
  }
  interface SysMenu extends FieldsOf<typeof sysMenu> {}
}

export const sysMenuBehavior = behavior('sys.menu', {
  events: { created: bumpViewEpoch, updated: bumpViewEpoch, deleting: bumpViewEpoch },
})
