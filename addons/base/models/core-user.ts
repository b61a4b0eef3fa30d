import {
  accessDenied,
  behavior,
  bumpAccessEpoch,
  defineModel,
  type Env,
  type FieldName,
  type FieldsOf,
  field,
  invalid,
  isLanguage,
  isTimeZone,
  LIMITS,
  loginKey,
  requireCredentialRight,
  requireOwnUsers,
} from '#kernel'
import { tellOldAddresses } from './address-notice.ts'
import { givingAdministration, requireAdministrator } from './administrators.ts'
import { auditDeletedUsers, auditNewUsers, auditUsers } from './audit-users.ts'
import { endAccess, forgetCredentials, forgetResetLinks, keepCredential, storePasswords } from './credential.ts'

export const coreUser = defineModel('core.user', {
  label: 'User',
  order: 'name, login',
  searchFields: ['name', 'login', 'email'],
  fields: {
    name: field.char({ required: true, size: 200 }),
    login: field.char({ required: true, size: 254, copy: false, privateTo: 'base.group_system' }),
    login_key: field.char({ compute: 'stored', groups: 'base.group_system', help: 'The login as it is compared.' }),
    email: field.char({
      label: 'E-mail',
      size: 254,
      privateTo: 'base.group_system',
      help: 'Where mails about the account go.',
    }),
    password: field.char({
      compute: 'read',
      secret: true,
      copy: false,
      groups: 'base.group_system',
      help: 'Can be set, never read.',
    }),
    active: field.boolean({ default: true }),
    group_ids: field.many2many('core.group', {
      label: 'Groups',
      groups: 'base.group_system',
      default: (env) => [env.access.groupIdByXmlid.get('base.group_user') ?? []].flat(),
    }),
    is_administrator: field.boolean({
      label: 'Administrator',
      compute: 'read',
      groups: 'base.group_system',
      help: 'In a group that manages users, access, modules and settings.',
    }),
    company_id: field.many2one('core.company', {
      label: 'Default Company',
      required: true,
      ondelete: 'restrict',
      checkCompany: false,
      default: (env) => env.user.companyIds[0] ?? null,
    }),
    company_ids: field.many2many('core.company', {
      label: 'Companies',
      groups: 'base.group_system',
      default: (env) => env.user.companyIds.slice(0, 1),
    }),
    partner_id: field.many2one('core.partner', {
      label: 'Contact',
      ondelete: 'restrict',
      copy: false,
      checkCompany: false,
      help: 'The user as a contact; made with the user when none is given.',
    }),
    lang: field.char({ label: 'Language', required: true, size: 35, default: (env) => env.user.lang }),
    tz: field.char({ label: 'Time Zone', required: true, size: 64, default: (env) => env.user.tz }),
    signature: field.html({ privateTo: 'base.group_system' }),
    image: field.image({ label: 'Picture' }),
    action_id: field.many2one('sys.action', { label: 'Home Action', copy: false }),
    pinned_apps: field.json<readonly string[]>({ copy: false, size: LIMITS.preferenceChars }),
    api_key_ids: field.one2many('core.api.key', 'user_id', {
      label: 'API Keys',
      readonly: true,
      groups: 'base.group_system',
    }),
  },
  constraints: {
    login_unique: { unique: ['login_key'], field: 'login', message: 'Another user already has this login.' },
  },
})

declare module '#kernel' {
  interface Models {
    'core.user': CoreUser
  }
  interface CoreUser extends FieldsOf<typeof coreUser> {}
}

/** Fields of their own record that users may change; only administrators may change the others. */
const SELF_WRITABLE: ReadonlySet<FieldName<'core.user'>> = new Set([
  'email',
  'lang',
  'tz',
  'company_id',
  'signature',
  'image',
  'pinned_apps',
])

/** Fields that decide about the sign-in or the rights of a user. The password is checked where it is stored. */
const CREDENTIALS: readonly FieldName<'core.user'>[] = ['login', 'email', 'active', 'group_ids', 'company_ids']

/** Whether the value is a list of texts: a JSON field may contain anything. */
const isListOfNames = (apps: unknown): boolean =>
  Array.isArray(apps) && apps.length <= LIMITS.pinnedApps && apps.every((name) => typeof name === 'string')

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/

export const coreUserBehavior = behavior('core.user', {
  computes: {
    login_key: {
      needs: ['login'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, loginKey(row.login)])),
    },
    is_administrator: {
      needs: ['group_ids'],
      run(env, rows) {
        const groups = givingAdministration(env)
        return new Map(rows.map((row) => [row.id, row.group_ids.some((id) => groups.includes(id))]))
      },
      search: (env, operator, value) => [
        ['group_ids', (operator === '=') === (value === true) ? 'in' : 'not in', givingAdministration(env)],
      ],
    },
    password: { needs: [], run: () => new Map(), inverse: storePasswords },
  },
  checks: [
    {
      needs: ['company_id', 'company_ids'],
      check: (_env, row) =>
        row.company_ids.includes(row.company_id ?? 0)
          ? undefined
          : { company_id: 'The default company must be one of the companies of the user.' },
    },
    {
      needs: ['login'],
      check: (env, row) => (loginKey(row.login) === '' ? { login: env.t('Must not be blank.') } : undefined),
    },
    {
      needs: ['lang'],
      check: (_env, row) => (isLanguage(row.lang) ? undefined : { lang: 'Must be like en or pt-BR.' }),
    },
    {
      needs: ['tz'],
      check: (_env, row) => (isTimeZone(row.tz) ? undefined : { tz: 'Must be a time zone like Europe/Berlin.' }),
    },
    {
      needs: ['pinned_apps'],
      check: (env, { pinned_apps: apps }) =>
        apps === null || isListOfNames(apps) ? undefined : { pinned_apps: env.t('Must be a list of names of apps.') },
    },
    {
      needs: ['email'],
      check: (_env, row) =>
        row.email === null || EMAIL.test(row.email) ? undefined : { email: 'Must be like name@example.com.' },
    },
  ],
  actions: {
    action_create_api_key: (_env, [user]) => ({ redirect: `/web/action/create_api_key?user_id=${user!.id}` }),
    action_reset_password: (_env, [user]) => ({ redirect: `/web/action/reset_password?user_id=${user!.id}` }),
  },
  actionGroups: { action_create_api_key: 'base.group_system', action_reset_password: 'base.group_system' },
  events: {
    async created(env, ids) {
      requireCredentialRight(env)
      await requireOwnUsers(env, ids)
      await keepCredential(env, ids)
      await addPartners(env.sudo('a new user gets a partner', { beyondScope: true }), ids)
      await auditNewUsers(env, ids)
    },
    async updating(env, ids, changed) {
      const others = ids.filter((id) => id !== env.user.id)
      // Only administrators change other users at all.
      if (others.length === 0 || !env.hasGroup('base.group_system')) return
      if (CREDENTIALS.some((name) => changed.has(name))) requireCredentialRight(env)
      await requireOwnUsers(env, others)
    },
    async linking(env, ids) {
      requireCredentialRight(env)
      await requireOwnUsers(env, ids)
    },
    linked: requireOwnUsers,
    async updated(env, ids, changed) {
      refuseBeyondSelf(env, ids, changed)
      if (CREDENTIALS.some((name) => changed.has(name))) requireCredentialRight(env)
      if (changed.has('login') || changed.has('email')) {
        // Reset links were mailed to an address that may no longer belong to the user.
        await forgetResetLinks(env, ids)
        await tellOldAddresses(env, ids)
      }
      if (changed.has('active')) await endAccessOfArchived(env, ids)
      if (changed.has('active') || changed.has('group_ids') || changed.has('company_ids')) {
        await requireOwnUsers(env, ids)
        await bumpAccessEpoch(env)
        await requireAdministrator(env)
      }
      await auditUsers(env, ids, changed)
      if (changed.has('name'))
        await renamePartners(env.sudo('the partner of a user has its name', { beyondScope: true }), ids)
    },
    async deleting(env, ids) {
      requireCredentialRight(env)
      await requireOwnUsers(env, ids)
      if (!env.isSudo && ids.includes(env.user.id))
        throw accessDenied('not_permitted', env.t('You cannot delete your own account.'))
      await bumpAccessEpoch(env)
      await requireAdministrator(env, { withoutUsers: ids })
      await auditDeletedUsers(env, ids)
      await forgetCredentials(env, ids)
    },
  },
})

/** Throws if a user who is no administrator changes another account, even if a record rule allows it. */
function refuseBeyondSelf(env: Env, ids: readonly number[], changed: ReadonlySet<FieldName<'core.user'>>): void {
  if (env.hasGroup('base.group_system')) return
  if (ids.some((id) => id !== env.user.id))
    throw accessDenied('group_required', env.t('Only an administrator may change other users.'))
  const beyond = [...changed].filter((name) => !SELF_WRITABLE.has(name))
  if (beyond.length === 0) return
  const fields = beyond.sort().join(', ')
  throw accessDenied('group_required', env.t('Only an administrator may change {fields} of a user.', { fields }))
}

/** Ends sessions, links and keys of archived users, in whatever way they were archived. Users cannot archive themselves. */
async function endAccessOfArchived(env: Env, ids: readonly number[]): Promise<void> {
  const archived = await env
    .sudo('asks only which of the users just written are archived', { beyondScope: true })
    .model('core.user')
    .search([['id', 'in', ids]], { archived: 'only' })
  if (archived.length === 0) return
  if (!env.isSudo && archived.includes(env.user.id))
    throw invalid('check_failed', { active: env.t('You cannot archive your own account.') })
  await endAccess(env, archived)
}

/** Creates the partners of users, without the e-mail address of the account, since every user may read partners. */
async function addPartners(env: Env, ids: readonly number[]): Promise<void> {
  const users = await env.model('core.user').searchRead(
    [
      ['id', 'in', ids],
      ['partner_id', '=', null],
    ],
    ['name'],
    { archived: 'include' },
  )
  const partners = await env.model('core.partner').createMany(users.map(({ name }) => ({ name })))
  await env.model('core.user').writeEach(new Map(users.map(({ id }, i) => [id, { partner_id: partners[i]! }])))
}

async function renamePartners(env: Env, ids: readonly number[]): Promise<void> {
  const users = await env.model('core.user').read(ids, ['name', 'partner_id'])
  const partners = users.flatMap(({ name, partner_id }) => (partner_id ? [[partner_id[0], { name }] as const] : []))
  await env.model('core.partner').writeEach(new Map(partners))
}
