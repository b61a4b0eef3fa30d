import { type KeyScope, readScope } from '../access/key-scope.ts'
import type { AccessTables } from '../access/tables.ts'
import type { CredentialRight, Env, Principal } from '../env.ts'
import { EPOCH_COLUMNS, EPOCH_SOURCE } from '../epoch.ts'
import { type FenceRow, fenceColumns, NO_FENCE_COLUMNS, RIGHTS_SUBJECT, raiseFences } from '../fence.ts'
import { KeptParts } from '../orm/statement/kept-parts.ts'
import type { Epoch, KernelState, ReplicaFence, Services } from '../services.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { hashApiKey, isApiKey } from './api-key.ts'
import { answerText, Proof, rememberCaller } from './known-callers.ts'
import { hashSessionToken, SESSION_HOURS } from './session.ts'

/** How a caller proved who it is. */
export type Credential = SessionCredential | { readonly kind: 'key'; readonly id: number }

export interface SessionCredential {
  readonly kind: 'session'
  /** Public id of the session; it is not the token. */
  readonly sessionId: string
  readonly tokenHash: Uint8Array
  readonly csrfSecret: Uint8Array
  /** Whether the password was entered within the last ten minutes; dangerous actions require that. */
  readonly isFresh: boolean
  /** The token is old enough to be rotated. */
  readonly isDue: boolean
}

/** A caller with a valid credential, and the state of the service it saw. */
export interface Caller {
  readonly user: Principal
  readonly credential: Credential
  readonly state: KernelState
  /** Verifies the caller; absent where a replica may answer. */
  readonly proof?: Proof | undefined
  /** What was built for this caller by earlier requests; set if the caller is remembered. */
  readonly parts?: KeptParts
  /** What a replica must have before it may answer this caller; absent where none is configured. */
  readonly fence?: ReplicaFence
}

interface UserRow extends Partial<FenceRow> {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly lang: string | null
  readonly tz: string | null
  readonly company_id: number | null
  readonly group_ids: readonly number[]
  readonly company_ids: readonly number[]
  readonly modules: number
  readonly access: number
  readonly views: number
  /** The last use was noted more than a minute ago. */
  readonly is_stale: boolean
}

interface KeyRow extends UserRow {
  readonly key_id: number
  readonly scope: unknown
}

interface SessionRow extends UserRow {
  readonly csrf_secret: Uint8Array
  readonly public_id: string
  readonly is_fresh: boolean
  readonly is_due: boolean
  /** A rotated token's successor is used for the first time. */
  readonly is_first_use: boolean
  readonly active_company_ids: readonly number[]
}

/** Everything about the user that a request needs, so that authentication is one statement. */
const USER_COLUMNS = sql`
  u.id, u.login, u.name, u.lang, u.tz, u.company_id,
  array(select target_id from core_user_group_ids_rel where source_id = u.id) as group_ids,
  array(select target_id from core_user_company_ids_rel where source_id = u.id order by target_id) as company_ids,
  ${EPOCH_COLUMNS}`

/** The owner of a valid API key; null for any other text, whatever is wrong with it. */
export async function findKeyCaller(services: Services, key: string): Promise<Caller | null> {
  if (!isApiKey(key)) return null
  const secretHash = hashApiKey(services, key)
  const query = sql<KeyRow>`
      select ${USER_COLUMNS}, k.id as key_id, k.scope,
        coalesce(k.last_used_at < now() - interval '1 minute', true) as is_stale
        ${services.replica ? fenceColumns('key', sql`k.id`) : NO_FENCE_COLUMNS}
      from sys_api_key_secret x
        join core_api_key k on k.id = x.key_id
        join core_user u on u.id = k.user_id
        cross join ${EPOCH_SOURCE}
      where x.secret_hash = ${secretHash} and k.active and u.active
        and (k.expires_at is null or k.expires_at > now())`
  const found = await findRow(services, query)
  if (!found) return null
  const { row } = found
  if (row.is_stale) {
    noteUse(
      services,
      sql`update core_api_key set last_used_at = now()
        where id = ${row.key_id} and coalesce(last_used_at < now() - interval '1 minute', true)`,
    )
  }
  const caller = toCaller(services, found, [], { kind: 'key', id: row.key_id }, readScope(row.scope))
  return remember(services, caller, secretHash, query, row)
}

/** Remembers the answer as it will be from now on: with the last use noted, until a minute later. */
function remember(services: Services, caller: Caller, hash: Uint8Array, query: Sql, row: UserRow): Caller {
  if (caller.fence) return caller
  const found = { query: query.compile(), answer: answerText({ ...row, is_stale: false }) }
  rememberCaller(services, hash, { ...found, caller: { ...caller, parts: new KeptParts(caller.user, caller.state) } })
  return { ...caller, proof: new Proof(found, true) }
}

/** Live sessions `s` with their users `u`: a changed password, a deactivated user or the passing of time ends a session at once. */
const liveSessions = ({ sessionHours = SESSION_HOURS }: Services) => sql`
  from sys_session s
    join core_user u on u.id = s.user_id
    left join sys_credential c on c.user_id = u.id
    cross join ${EPOCH_SOURCE}
  where u.active and s.auth_epoch = coalesce(c.auth_epoch, 0)
    and s.abs_expires_at > now() and s.last_seen_at > now() - ${sessionHours.idle} * interval '1 hour'`

/** The user of a live session. */
export async function findSessionCaller(services: Services, token: string): Promise<Caller | null> {
  const tokenHash = hashSessionToken(token)
  if (!tokenHash) return null
  const query = sql<SessionRow>`
      select ${USER_COLUMNS}, s.csrf_secret, s.company_ids as active_company_ids,
        s.public_id, s.last_seen_at < now() - interval '1 minute' as is_stale,
        coalesce(s.reauth_at > now() - interval '10 minutes', false) as is_fresh,
        s.rotated_at < now() - interval '3 hours' as is_due,
        s.token_hash = ${tokenHash} and s.prev_hash is not null and s.prev_until is null as is_first_use
        ${services.replica ? fenceColumns('session', sql`s.public_id`) : NO_FENCE_COLUMNS}
      ${liveSessions(services)}
        and (s.token_hash = ${tokenHash} or s.prev_hash = ${tokenHash} and coalesce(s.prev_until > now(), true))`
  const found = await findRow(services, query)
  if (!found) return null
  const { row } = found
  if (row.is_stale || row.is_first_use) {
    noteUse(
      services,
      sql`with seen as (update sys_credential set seen_at = now() where user_id = ${row.id})
        update sys_session set last_seen_at = now(),
          prev_until = case when token_hash = ${tokenHash} then coalesce(prev_until, now() + interval '1 minute') end
        where public_id = ${row.public_id}`,
    )
  }
  const caller = toCaller(services, found, row.active_company_ids, {
    kind: 'session',
    sessionId: row.public_id,
    tokenHash,
    csrfSecret: row.csrf_secret,
    isFresh: row.is_fresh,
    isDue: row.is_due,
  })
  return remember(services, caller, tokenHash, query, row)
}

/** The user of a session that is watched for longer than a request, and the companies chosen in it. */
export interface SessionUser {
  readonly user: Principal
  readonly chosenCompanyIds: readonly number[]
}

/** The users of these sessions by session id, and the state of their epoch; null if all sessions have ended, which are left out. */
export async function findSessionUsers(
  services: Services,
  sessionIds: readonly string[],
): Promise<{ readonly users: ReadonlyMap<string, SessionUser>; readonly state: KernelState } | null> {
  const found = await findRows(
    services,
    sql<SessionRow>`
      select ${USER_COLUMNS}, s.public_id, s.company_ids as active_company_ids
      ${liveSessions(services)} and s.public_id = any(${sessionIds}::uuid[])`,
  )
  if (found === null) return null
  const { rows, state } = found
  const sessions = rows.map((row): [string, SessionUser] => {
    const user = toPrincipal(row, row.active_company_ids, state.access, { scope: null, credentials: 'never' })
    return [row.public_id, { user, chosenCompanyIds: row.active_company_ids }]
  })
  return { users: new Map(sessions), state }
}

/** Which of these sessions have ended, or have other companies chosen by now. */
export async function findChangedSessions(
  services: Services,
  known: ReadonlyMap<string, SessionUser>,
): Promise<readonly string[]> {
  const chosen = [...known.values()].map(({ chosenCompanyIds }) => `{${chosenCompanyIds.join()}}`)
  const { rows } = await sql<{ id: string }>`
    select k.id from unnest(${[...known.keys()]}::uuid[], ${chosen}::text[]) as k(id, chosen)
    where not exists (
      select 1 ${liveSessions(services)} and s.public_id = k.id and s.company_ids = k.chosen::int[])`.execute(
    services.db,
  )
  return rows.map((row) => row.id)
}

interface Found<R> {
  readonly row: R
  readonly state: KernelState
}

const epochOf = ({ modules, access, views }: UserRow): Epoch => ({ modules, access, views })

async function findRow<R extends UserRow>(services: Services, query: Sql<R>): Promise<Found<R> | null> {
  const found = await findRows(services, query)
  return found && { row: found.rows[0]!, state: found.state }
}

/**
 * Rows of users and the state of their epoch; null if there are none. In a newer state a group may have got rights in the very change by
 * which a user has left it, so the rows are read again. If their epoch is still the older one, the database has been put back to an
 * earlier state.
 */
async function findRows<R extends UserRow>(
  services: Services,
  query: Sql<R>,
): Promise<{ readonly rows: readonly R[]; readonly state: KernelState } | null> {
  for (let before: R | undefined; ; ) {
    const { rows } = await query.execute(services.db)
    const [row] = rows
    if (!row) return null
    const state = await services.state.current(epochOf(row))
    if (state.epoch.access === row.access || before?.access === row.access) return { rows, state }
    before = row
  }
}

/** The answer does not depend on whether the time of last use could be saved. */
const noteUse = (services: Services, update: Sql<unknown>): void =>
  inBackground(services, 'The last use was not noted', update.execute(services.db))

function inBackground(services: Services, complaint: string, work: Promise<unknown>): void {
  const done = work.then(
    () => undefined,
    (error: unknown) => services.observe({ kind: 'warning', text: `${complaint}: ${String(error)}` }),
  )
  services.background?.(done)
}

function toCaller(
  services: Services,
  { row, state }: Found<UserRow>,
  activeCompanyIds: readonly number[],
  credential: Credential,
  scope: KeyScope | null = null,
): Caller {
  const rights = { scope, credentials: credentialRight(credential, scope) }
  const user = toPrincipal(row, activeCompanyIds, state.access, rights)
  const { primary_lsn: primaryLsn, primary_ms: primaryMs = 0, timeline = 0, fence_lsn: lsn = null } = row
  if (primaryLsn === undefined) return { user, credential, state }
  // If the fences were lost, wait until the replica has replayed the current end of the log: it then has every change they protected.
  if (lsn === null) inBackground(services, 'No fence could be raised', raiseFences(services.db, [RIGHTS_SUBJECT]))
  return { user, credential, state, fence: { lsn, primaryLsn, primaryMs, timeline, epoch: epochOf(row) } }
}

function credentialRight(credential: Credential, scope: KeyScope | null): CredentialRight {
  if (credential.kind === 'key') return scope?.credentials === true ? 'allowed' : 'never'
  return credential.isFresh ? 'allowed' : 'after_password'
}

/** Any active user as right after signing in; used to answer questions about another user's rights. */
export async function findPrincipal(env: Env, userId: number): Promise<Principal | null> {
  const { rows } = await sql<UserRow>`
    select ${USER_COLUMNS}, false as is_stale from core_user u cross join ${EPOCH_SOURCE}
    where u.id = ${userId} and u.active`.execute(env.tx)
  return rows[0] ? toPrincipal(rows[0], [], env.access, { scope: null, credentials: 'never' }) : null
}

function toPrincipal(
  row: UserRow,
  activeCompanyIds: readonly number[],
  access: AccessTables,
  rights: Pick<Principal, 'scope' | 'credentials'>,
): Principal {
  return {
    id: row.id,
    login: row.login,
    name: row.name,
    groupIds: withImplied(row.group_ids, access.impliedGroups),
    companyIds: activeCompanies(row, activeCompanyIds),
    allowedCompanyIds: row.company_ids,
    lang: row.lang ?? 'en',
    tz: row.tz ?? 'UTC',
    ...rights,
  }
}

function withImplied(
  direct: readonly number[],
  implied: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlySet<number> {
  const all = new Set(direct)
  for (const id of direct) {
    for (const other of implied.get(id) ?? []) all.add(other)
  }
  return all
}

/**
 * The companies selected in the session that the user still belongs to; if there are none, all of the user's companies, the
 * default one first.
 */
function activeCompanies({ company_id, company_ids }: UserRow, chosen: readonly number[]): readonly number[] {
  const active = chosen.filter((id) => company_ids.includes(id))
  if (active.length > 0) return active
  if (company_id === null || !company_ids.includes(company_id)) return company_ids
  return [company_id, ...company_ids.filter((id) => id !== company_id)]
}
