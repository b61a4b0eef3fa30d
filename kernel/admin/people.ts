import { listSessions } from '../auth/session.ts'
import { fold } from '../domain/fold.ts'
import type { Env } from '../env.ts'
import { notFound } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { canSendMail } from '../mail/mail-server.ts'
import { sql } from '../sql/sql.ts'
import { listRoles } from './roles.ts'
import type { WireKey } from './wire-keys.ts'
import type { WireInvitation, WirePeople, WirePerson } from './wire-people.ts'

export interface PeopleQuery {
  /** Searched in names, logins and addresses. */
  readonly text: string
  /** Include deactivated users. */
  readonly isAll: boolean
}

interface PersonRow extends Omit<WirePerson, 'invitation'> {
  readonly hasPassword: boolean
  readonly invitedAt: string | null
  readonly isOpen: boolean | null
  readonly total: number
}

/** Columns beside the secrets that no model exposes: when a user was last seen, and whether an invitation can still be used. */
const PERSON = sql`
  u.id, u.name, u.login, u.email, u.active, u.company_id as "companyId", c.seen_at as "seenAt",
  array(select target_id from core_user_group_ids_rel where source_id = u.id order by 1) as "groupIds",
  array(select target_id from core_user_company_ids_rel where source_id = u.id order by 1) as "companyIds",
  c.password_hash is not null as "hasPassword", r.invited_at as "invitedAt",
  r.expires_at > now() and r.auth_epoch = coalesce(c.auth_epoch, 0) as "isOpen"
  from core_user u
    left join sys_credential c on c.user_id = u.id
    left join sys_reset r on r.user_id = u.id and r.invited_at is not null`

/** Users with their roles, for administrators. */
export async function listPeople(env: Env, { text, isAll }: PeopleQuery): Promise<WirePeople> {
  const pattern = `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<PersonRow>`
    select count(*) over ()::int as total, ${PERSON}
    where (u.active or ${isAll}) and (${text === ''}
      or svc_fold(u.name) like ${pattern} or svc_fold(u.login) like ${pattern} or svc_fold(u.email) like ${pattern})
    order by u.active desc, svc_fold(u.name), u.id limit ${LIMITS.people}`.execute(env.tx)
  const { rows: counts } = await sql<WirePeople['counts']>`
    select count(*) filter (where u.active)::int as active,
      count(*) filter (where u.active and c.seen_at is null)::int as unseen,
      count(*) filter (where not u.active)::int as deactivated
    from core_user u left join sys_credential c on c.user_id = u.id`.execute(env.tx)
  const companies = await env.model('core.company').searchRead([], ['name'])
  return {
    people: rows.map(toPerson),
    total: rows[0]?.total ?? 0,
    counts: counts[0]!,
    roles: await listRoles(env),
    companies: companies.map(({ id, name }) => ({ id, name })),
    mail: await canSendMail(env),
  }
}

export async function readPerson(env: Env, id: number): Promise<WirePerson> {
  const { rows } = await sql<PersonRow>`select 1 as total, ${PERSON} where u.id = ${id}`.execute(env.tx)
  if (!rows[0]) throw notFound('record_not_found', env.t('There is no such user.'), { model: 'core.user', id })
  return toPerson(rows[0])
}

export async function listKeysOfUser(env: Env, userId: number): Promise<readonly WireKey[]> {
  const keys = await env
    .model('core.api.key')
    .searchRead([['user_id', '=', userId]], ['name', 'hint', 'expires_at', 'last_used_at'])
  return keys.map(({ id, name, hint, expires_at, last_used_at }) => ({
    id,
    name,
    hint,
    expiresAt: expires_at,
    usedAt: last_used_at,
  }))
}

export const openSessions = (env: Env, userId: number) => listSessions(env.services, env.tx, userId)

function toPerson({ hasPassword, invitedAt, isOpen, total: _total, ...person }: PersonRow): WirePerson {
  return { ...person, invitation: hasPassword ? null : invitationOf(invitedAt, isOpen) }
}

const invitationOf = (at: string | null, isOpen: boolean | null): WireInvitation =>
  at === null ? { state: 'none', at } : { state: isOpen ? 'sent' : 'expired', at }
