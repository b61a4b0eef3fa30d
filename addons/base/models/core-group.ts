import { behavior, bumpAccessEpoch, defineModel, type Env, type FieldsOf, field, requireCredentialRight } from '#kernel'
import { requireAdministrator } from './administrators.ts'
import { auditRights } from './audit-rights.ts'

export const coreGroup = defineModel('core.group', {
  label: 'Group',
  order: 'category, name',
  displayName: ['category', 'name'],
  searchFields: ['name', 'category'],
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    category: field.char({ size: 100, translate: true, help: 'The app the group belongs to.' }),
    implied_ids: field.many2many('core.group', {
      label: 'Implies',
      help: 'Whoever is in this group is also in these.',
    }),
    implied_by_ids: field.many2many('core.group', {
      label: 'Implied by',
      copy: false,
      relationTable: { table: 'core_group_implied_ids_rel', left: 'target_id', right: 'source_id' },
      help: 'Whoever is in one of these groups is also in this one.',
    }),
    user_ids: field.many2many('core.user', {
      label: 'Users',
      copy: false,
      relationTable: { table: 'core_user_group_ids_rel', left: 'target_id', right: 'source_id' },
    }),
    access_ids: field.one2many('sys.access', 'group_id', { label: 'Access Lines' }),
    rule_ids: field.many2many('sys.rule', {
      label: 'Record Rules',
      relationTable: { table: 'sys_rule_group_ids_rel', left: 'target_id', right: 'source_id' },
    }),
    comment: field.text({ translate: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'core.group': CoreGroup
  }
  interface CoreGroup extends FieldsOf<typeof coreGroup> {}
}

/** The fields that decide which users are in a group and which record rules limit them. */
const MEMBERS = ['user_ids', 'implied_ids', 'implied_by_ids', 'rule_ids'] as const

export const coreGroupBehavior = behavior('core.group', {
  events: {
    async created(env, ids) {
      await requireRightForMembers(env, ids)
      await bumpAccessEpoch(env)
      await auditRights(env, 'core.group', ids, 'added')
    },
    async updated(env, ids, changed) {
      if (MEMBERS.some((name) => changed.has(name))) requireCredentialRight(env)
      await bumpAccessEpoch(env)
      await requireAdministrator(env)
      await auditRights(env, 'core.group', ids, `changed: ${[...changed].sort().join(', ')}`)
    },
    async deleting(env, ids) {
      requireCredentialRight(env)
      await bumpAccessEpoch(env)
      await requireAdministrator(env, { withoutGroups: ids })
      await auditRights(env, 'core.group', ids, 'deleted')
    },
  },
})

/** A new group without members and implied groups gives no rights, so it needs no right to change credentials. */
async function requireRightForMembers(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return
  const groups = await env
    .sudo('asks only whether the new groups have members', { beyondScope: true })
    .model('core.group')
    .read(ids, MEMBERS)
  if (groups.some((group) => MEMBERS.some((name) => group[name].length > 0))) requireCredentialRight(env)
}
