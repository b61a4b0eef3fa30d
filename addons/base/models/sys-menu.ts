import { behavior, bumpViewEpoch, defineModel, type FieldsOf, field } from '#kernel'

export const sysMenu = defineModel('sys.menu', {
  label: 'Menu',
  order: 'sequence, id',
  fields: {
    name: field.char({ required: true, size: 100 }),
    parent_id: field.many2one('sys.menu', { ondelete: 'cascade', index: true }),
    child_ids: field.one2many('sys.menu', 'parent_id', { label: 'Submenus' }),
    action_id: field.many2one('sys.action', { ondelete: 'cascade' }),
    page: field.char({ size: 200, help: 'Address of a page of the client, instead of an action.' }),
    sequence: field.integer({ required: true, default: 10 }),
    icon: field.char({ size: 200, help: 'Name of an icon of the client, or a path below /web/static.' }),
    group_ids: field.many2many('core.group', { label: 'Groups', help: 'Empty: everybody.' }),
    technical: field.boolean({
      required: true,
      default: false,
      help: 'Shown in developer mode, with everything below it.',
    }),
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

/** A path of this service: a menu never leads to another site. */
const PAGE = /^\/web\/[a-z0-9/_-]+$/

export const sysMenuBehavior = behavior('sys.menu', {
  checks: [
    {
      needs: ['page'],
      check: (_env, row) =>
        row.page === null || PAGE.test(row.page) ? undefined : { page: 'Must be like /web/settings/users.' },
    },
  ],
  events: { created: bumpViewEpoch, updated: bumpViewEpoch, deleting: bumpViewEpoch },
})
