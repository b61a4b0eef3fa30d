import type { Env } from './env.ts'
import type { Db } from './sql/database.ts'
import { sql } from './sql/sql.ts'

/** Kinds of events that the audit trail records; `sys.audit` has a label for each. */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_refused'
  | 'sign_out_all'
  | 'session_ended'
  | 'password_changed'
  | 'user_added'
  | 'user_invited'
  | 'user_changed'
  | 'user_deactivated'
  | 'user_activated'
  | 'user_deleted'
  | 'rights_changed'
  | 'key_made'
  | 'key_revoked'
  | 'module_installed'
  | 'module_updated'
  | 'module_removed'
  | 'module_on'
  | 'module_off'
  | 'exported'
  | 'imported'
  | 'import_undone'
  | 'settings_changed'

/** The user who did it, and the address it came from. */
export interface AuditActor {
  readonly id: number
  readonly name: string
  readonly address: string | null
  readonly requestId: string
}

/** One line of the trail. Neither part ever has a secret: no password, no key, no value of a setting. */
export interface AuditEntry {
  readonly kind: AuditKind
  /** Name of the user, key, module or model that it was done to. */
  readonly subject: string | null
  readonly detail?: string | null
}

const MAX_CHARS = 1_000

/** Adds lines in the transaction of `env`, so that they are stored if and only if the changes they record are. */
export async function audit(env: Env, entries: readonly AuditEntry[], actor = actorOf(env)): Promise<void> {
  if (env.isAudited) await auditAs(env.tx, actor, entries)
}

export const actorOf = ({ user, address, requestId }: Env): AuditActor => ({
  id: user.id,
  name: user.name,
  address,
  requestId,
})

/** Like `audit`, for an actor without an env, such as one who is signing in. */
export async function auditAs(db: Db, actor: AuditActor, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ kind, subject, detail = null }) => ({
    kind,
    actor: actor.name,
    actor_number: actor.id,
    address: actor.address,
    subject: cut(subject),
    detail: cut(detail),
    request_id: actor.requestId,
  }))
  await db.insertInto('sys_audit').values(rows).execute()
}

const cut = (text: string | null): string | null =>
  text !== null && text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text

/**
 * Records a refused sign-in. A login is named only if it exists, because people type passwords into the wrong field. At most one line a
 * minute for each user and address, so that guessing does not fill the trail.
 */
export async function auditRefusal(db: Db, loginKey: string, from: Omit<AuditActor, 'id' | 'name'>): Promise<void> {
  await sql`
    insert into sys_audit (kind, actor, actor_number, address, request_id)
    select 'sign_in_refused', u.name, u.id, ${from.address}::text, ${from.requestId}::text
    from (select 1) one left join core_user u on u.login_key = ${loginKey}
    where not exists (
      select from sys_audit a where a.kind = 'sign_in_refused' and a.create_date > now() - interval '1 minute'
        and a.actor_number is not distinct from u.id and a.address is not distinct from ${from.address}::text)`.execute(
    db,
  )
}
