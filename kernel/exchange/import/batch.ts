import { unknownModel } from '../../access/reach.ts'
import type { Env } from '../../env.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { requireRecord } from '../../orm/record/require-record.ts'
import { write } from '../../orm/record/write.ts'
import { missing } from '../../orm/statement/refusals.ts'
import { modelOf } from '../../orm/statement/scope.ts'
import { sql } from '../../sql/sql.ts'
import type { Encoding } from './file/decode.ts'
import { readingFile } from './file/file-invalid.ts'
import { type ImportSheet, readSheet } from './file/sheet.ts'
import type { ImportMode } from './record/match.ts'

export const BATCH_MODEL = 'sys.bulk.import'

/** A staged file and what is known of it. */
export interface ImportBatch {
  readonly id: number
  readonly model: string
  readonly state: 'staged' | 'mapped' | 'running' | 'done' | 'failed' | 'cancelled' | 'undone'
  readonly import_mode: ImportMode
  readonly column_mapping: unknown
  readonly next: string | null
  readonly action_id: number | null
  readonly defaults: unknown
  readonly with_defaults: boolean
  readonly headers: readonly string[]
  readonly encoding: Encoding
  readonly separator: string
  readonly has_header: boolean
  readonly created_count: number
  readonly updated_count: number
  readonly skipped_count: number
}

/** The caller's batch, locked: a concurrent request to confirm, cancel or undo it waits. */
export async function lockBatch(env: Env, id: number): Promise<ImportBatch> {
  await requireRecord(env, BATCH_MODEL, id, ['read', 'write'])
  const { rows } = await sql<ImportBatch>`
    select id, model, state, import_mode, column_mapping, next, action_id, defaults, with_defaults, headers, encoding, separator,
      has_header, created_count, updated_count, skipped_count
    from sys_bulk_import where id = ${id} for no key update`.execute(env.tx)
  if (!rows[0]) throw missing(env, modelOf(env, BATCH_MODEL), id)
  return rows[0]
}

/** Throws CONFLICT for a batch that is imported, cancelled or undone. */
export function requireOpen(env: Env, { state }: ImportBatch): void {
  if (state === 'staged' || state === 'mapped') return
  const message = state === 'cancelled' ? env.t('This import was cancelled.') : env.t('This import is finished.')
  throw conflict('import_closed', message)
}

/** Refuses a file if the imports of the caller keep too much already. Reads only the sizes, not the files. */
export async function requireRoom(env: Env, bytes: number): Promise<void> {
  const { rows } = await sql<{ stored: string }>`
    select coalesce(sum(coalesce(octet_length(file), 0) + coalesce(octet_length(rejected), 0)), 0) as stored
    from sys_bulk_import where user_id = ${env.user.id}`.execute(env.tx)
  if (Number(rows[0]!.stored) + bytes <= LIMITS.importStoredBytes) return
  const most = LIMITS.importStoredBytes / 2 ** 20
  throw invalid('check_failed', {
    file: env.t('Your imports keep more than {most} MB of files. Finish, cancel or delete some first.', { most }),
  })
}

/** The model that a batch is imported into, as RPC would let the caller write it. */
export function importTarget(env: Env, name: string): Model {
  const model = env.registry.model(name)
  if (model === undefined || model.rpc !== 'all') throw unknownModel(env.t, name)
  return model
}

export async function readFile(env: Env, batch: ImportBatch): Promise<ImportSheet> {
  const file = await storedFile(env, batch.id)
  if (file === null) throw conflict('import_closed', env.t('The file of this import is no longer stored.'))
  const { encoding, separator, has_header: hasHeader } = batch
  return readingFile(env, () => readSheet(env, file, { encoding, separator, hasHeader }))
}

/** Bytes of a file that one statement reads: the driver takes about ten milliseconds for them. */
const PART_BYTES = 2_097_152

async function storedFile(env: Env, id: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  for (let length = 0; ; ) {
    const { rows } = await sql<{ part: Uint8Array | null }>`
      select substring(file from ${length + 1}::int for ${PART_BYTES}::int) as part
      from sys_bulk_import where id = ${id}`.execute(env.tx)
    const part = rows[0]?.part
    if (!part) return null
    parts.push(part)
    length += part.length
    if (part.length < PART_BYTES) return joined(parts, length)
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Changes read-only fields of a batch, which only an import itself sets. */
export async function saveBatch(env: Env, id: number, values: Readonly<Record<string, unknown>>): Promise<void> {
  await write(env.sudo('an import records its own progress'), modelOf(env, BATCH_MODEL), [id], values)
}

/** The rows that were not imported, as a file. */
export async function saveRejected(env: Env, id: number, file: Uint8Array | null): Promise<void> {
  await sql`update sys_bulk_import set rejected = ${file} where id = ${id}`.execute(env.tx)
}

/** The file of rejected rows, to download. */
export async function rejectedRows(env: Env, id: number): Promise<Uint8Array> {
  await requireRecord(env, BATCH_MODEL, id, ['read'])
  const { rows } = await sql<{ rejected: Uint8Array | null }>`
    select rejected from sys_bulk_import where id = ${id}`.execute(env.tx)
  const file = rows[0]?.rejected
  if (!file) throw notFound('record_not_found', env.t('No rows of this import were refused.'))
  return file
}

/** Deletes what the import stored beside the batches. */
export async function forgetBatches(env: Env, ids: readonly number[]): Promise<void> {
  await env.tx
    .deleteFrom('sys_import_record')
    .where((row) => row('import_id', '=', row.fn.any(row.val(ids))))
    .execute()
}
