import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/**
 * Rows of the tables the kernel itself owns (`migrations/`). Model tables are not here: they are known only at run time.
 * A datetime reads as `YYYY-MM-DDTHH:MM:SS.mmmZ` and takes the same text.
 */
export interface KernelTables {
  sys_migration: MigrationTable
  sys_param: ParamTable
  sys_epoch: EpochTable
  sys_session: SessionTable
  sys_credential: CredentialTable
  sys_api_key_secret: ApiKeySecretTable
  sys_outbox: OutboxTable
  sys_presence: PresenceTable
  sys_idempotency: IdempotencyTable
  sys_mail: MailTable
  sys_mail_attachment: MailAttachmentTable
  sys_revision: RevisionTable
  sys_reset: ResetTable
  sys_flash: FlashTable
  sys_audit: AuditTable
  sys_rate: RateTable
  sys_fence: FenceTable
  sys_import_record: ImportRecordTable
}

/** A `jsonb` column: parsed when read, JSON text when written (an array bound as a value would become an SQL array). */
type Json<T> = ColumnType<T, string, string>

type DefaultNow = ColumnType<string, string | undefined, string>

export interface MigrationTable {
  name: string
  checksum: string
  applied_at: DefaultNow
}

export interface ParamTable {
  key: string
  value: Json<unknown>
}

/**
 * Exactly one row. Counters that are incremented when modules, access or views change, so that every process reloads them.
 */
export interface EpochTable {
  one: Generated<boolean>
  modules: Generated<number>
  access: Generated<number>
  views: Generated<number>
}

export interface SessionTable {
  token_hash: Uint8Array
  /** The hash before the last rotation, valid until `prev_until`, which is set when the new one is first used. */
  prev_hash: Uint8Array | null
  prev_until: string | null
  user_id: number
  auth_epoch: number
  csrf_secret: Uint8Array
  company_id: number | null
  /** Active companies in order; the first is the current one. */
  company_ids: Generated<number[]>
  created_at: DefaultNow
  last_seen_at: DefaultNow
  abs_expires_at: string
  reauth_at: string | null
  ip: string | null
  ua: string | null
  public_id: Generated<string>
  rotated_at: DefaultNow
  /** Whether the cookie is kept when the browser closes. */
  is_lasting: Generated<boolean>
}

export interface ResetTable {
  user_id: number
  token_hash: Uint8Array
  auth_epoch: number
  expires_at: string
  /** Null: the link is for a forgotten password. */
  invited_at: string | null
}

export interface FlashTable {
  id: string
  session_id: string
  expires_at: string
}

export interface AuditTable {
  id: Generated<number>
  kind: string
  actor: string | null
  actor_number: number | null
  address: string | null
  subject: string | null
  detail: string | null
  request_id: string | null
  create_date: DefaultNow
}

export interface CredentialTable {
  user_id: number
  password_hash: string | null
  auth_epoch: Generated<number>
  seen_at: string | null
}

export interface ApiKeySecretTable {
  key_id: number
  secret_hash: Uint8Array
}

export interface OutboxTable {
  id: GeneratedAlways<number>
  xid: Generated<string>
  channel: string
  payload: Json<Record<string, unknown>>
  company_id: number | null
  user_id: number | null
  created_at: DefaultNow
  /** The former values that rules read, for deliveries about a record that was deleted or changed; otherwise null. */
  before: Json<Record<string, unknown>> | null
}

export interface PresenceTable {
  /** The process that holds the socket. */
  process: string
  user_id: number
  model: string
  res_id: number
  /** The field in which the user types, or another activity that the bus has a word for; empty: none. */
  doing: string
  expires_at: string
}

export interface IdempotencyTable {
  user_id: number
  key: string
  body_hash: Uint8Array
  /** HTTP status and body of the first answer; null while that call is still running. */
  status: number | null
  response: string | null
  created_at: DefaultNow
}

/** The stored values a write replaced: `version` is the one the record had before. */
export interface RevisionTable {
  model: string
  res_id: number
  version: number
  changed: Json<Record<string, unknown>>
  created_at: DefaultNow
}

export interface MailTable {
  id: GeneratedAlways<number>
  message_id: string
  /** A second mail with the same key is not queued. */
  dedupe_key: string | null
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'unknown'>
  policy: Generated<'at_least_once' | 'at_most_once'>
  attempts: Generated<number>
  next_at: DefaultNow
  /** The process that is sending it, until `lease_until`. */
  owner: string | null
  lease_until: string | null
  to_name: string
  to_address: string
  subject: string
  /** Null once it was sent. */
  text: string | null
  html: string | null
  last_error: string | null
  created_at: DefaultNow
  sent_at: string | null
}

/** Files of a mail that was not sent yet, in their order. */
export interface MailAttachmentTable {
  mail_id: number
  position: number
  name: string
  type: string
  content: Uint8Array
}

export interface RateTable {
  key: string
  tat: string
  granted: number
}

export interface FenceTable {
  subject: string
  lsn: string
  raised_at: DefaultNow
}

/** What an import did to a record, until it is undone or forgotten. */
export interface ImportRecordTable {
  import_id: number
  model: string
  res_id: number
  version: number
  change: 'created' | 'updated' | 'final'
  before: Json<unknown> | null
  last_id: number | null
}
