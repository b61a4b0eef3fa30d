import { bytesToHex } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { requireModel } from '../../access/acl.ts'
import { tailOf } from '../../domain/cut-text.ts'
import type { Env } from '../../env.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { safeNext } from '../../http/next.ts'
import { parseInput } from '../../http/parse.ts'
import type { Model } from '../../model/registry.ts'
import { create } from '../../orm/record/create.ts'
import { modelOf } from '../../orm/statement/scope.ts'
import { mapInSlices } from '../../slices.ts'
import { sql } from '../../sql/sql.ts'
import type { WindowAction } from '../../view/tables.ts'
import { csvLine } from '../cell/csv-line.ts'
import { findAction } from '../export/export-query.ts'
import {
  BATCH_MODEL,
  importTarget,
  lockBatch,
  readFile,
  requireOpen,
  requireRoom,
  saveBatch,
  saveRejected,
} from './batch.ts'
import { listDefaults } from './column/list-defaults.ts'
import { ENCODINGS, SEPARATORS } from './file/decode.ts'
import { readingFile } from './file/file-invalid.ts'
import { type Dialect, detectDialect, type ImportSheet, readSheet } from './file/sheet.ts'
import { isZip } from './file/unzip.ts'
import { readWorkbook } from './file/workbook.ts'
import { fieldChoices, guessMapping, knownNames } from './guess/guess.ts'
import { sampleColumns } from './guess/samples.ts'
import type { ImportMode } from './record/match.ts'

export interface Upload {
  readonly model: string
  readonly file: UploadedFile
  readonly fields?: string | undefined
  readonly import_mode?: ImportMode | undefined
  readonly action?: number | undefined
  readonly next?: string | undefined
}

/** An uploaded file, read as a table. */
export interface ReadUpload {
  /** The table as CSV. */
  readonly bytes: Uint8Array
  readonly dialect: Dialect
  readonly sheet: ImportSheet
}

/** Reads a file that the caller may import. Without the database, whose connections others need while a large workbook is unpacked. */
export async function readUpload(env: Env, upload: Upload): Promise<ReadUpload> {
  const names = knownNames(env, importableModel(env, upload))
  return readingFile(env, async () => {
    const bytes = await tableOf(env, upload.file.bytes)
    const dialect = await detectDialect(env, bytes, (text) => names.has(text.toLowerCase()))
    return { bytes, dialect, sheet: await readSheet(env, bytes, dialect) }
  })
}

/** Reads a file and stores it; for work that has its connection to the database for itself. */
export const stageImport = async (env: Env, upload: Upload): Promise<number> =>
  stageUpload(env, upload, await readUpload(env, upload))

/** Stores a file that was read, with its detected dialect and a first mapping, and returns the id of the batch. */
export async function stageUpload(env: Env, upload: Upload, { bytes, dialect, sheet }: ReadUpload): Promise<number> {
  const model = importableModel(env, upload)
  const action = await findAction(env, model, upload.action, 'body.action')
  await requireRoom(env, bytes.length)
  const [id] = await create(env.sudo('uploads are staged by the kernel for their user'), modelOf(env, BATCH_MODEL), [
    {
      user_id: env.user.id,
      model: model.name,
      import_mode: modeOf(upload),
      action_id: action?.id ?? null,
      defaults: await listDefaults(env, model, action),
      next: safeNext(upload.next, '') || null,
      file_name: tailOf(upload.file.name, 255),
      sha256: bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', upload.file.bytes as BufferSource))),
      choices: fieldChoices(env, model),
      fields: upload.fields ?? null,
      ...(await describeSheet(env, model, action, dialect, sheet)),
    },
  ])
  await sql`update sys_bulk_import set file = ${bytes} where id = ${id}`.execute(env.tx)
  return id!
}

const modeOf = ({ import_mode }: Upload): ImportMode => import_mode ?? 'create'

function importableModel(env: Env, upload: Upload): Model {
  const model = importTarget(env, upload.model)
  requireModel(env, model, 'create')
  if (modeOf(upload) === 'upsert') requireModel(env, model, 'write')
  return model
}

/** Reads a file with a dialect and describes it, with a first mapping. */
async function describeSheet(
  env: Env,
  model: Model,
  action: WindowAction | null,
  { encoding, separator, hasHeader }: Dialect,
  sheet: ImportSheet,
) {
  const { mapping, remembered, similar } = await guessMapping(env, model, sheet, action)
  const columns = await sampleColumns(env, sheet)
  return {
    encoding,
    separator,
    has_header: hasHeader,
    headers: sheet.headers,
    columns: columns.map((column) => ({
      ...column,
      ...(remembered.has(column.header) && { isRemembered: true }),
      ...(similar.has(column.header) && { similar: similar.get(column.header) }),
    })),
    row_count: sheet.rows.length,
    column_mapping: mapping,
  }
}

const dialectChange = z.object({
  encoding: z.enum(ENCODINGS).optional(),
  separator: z.enum(SEPARATORS).optional(),
  has_header: z.enum(['0', '1']).optional(),
})

/** Reads the file of a batch with another dialect than the detected one, and guesses a new mapping. */
export async function readAgain(env: Env, id: number, sent: unknown): Promise<void> {
  const batch = await lockBatch(env, id)
  requireOpen(env, batch)
  const change = parseInput(dialectChange, sent)
  const dialect: Dialect = {
    encoding: change.encoding ?? batch.encoding,
    separator: change.separator ?? batch.separator,
    hasHeader: change.has_header === undefined ? batch.has_header : change.has_header === '1',
  }
  const read = { ...batch, encoding: dialect.encoding, separator: dialect.separator, has_header: dialect.hasHeader }
  const action = (await env.views()).actions.get(batch.action_id ?? 0) ?? null
  const described = await describeSheet(env, importTarget(env, batch.model), action, dialect, await readFile(env, read))
  await saveRejected(env, id, null)
  await saveBatch(env, id, { ...described, state: 'staged', preview: null, problems: null })
}

/** The file as CSV: the first sheet of a workbook is stored like that, so that later steps handle only one kind of file. */
async function tableOf(env: Env, bytes: Uint8Array): Promise<Uint8Array> {
  if (!isZip(bytes)) return bytes
  const rows = await readWorkbook(env, bytes)
  return new TextEncoder().encode((await mapInSlices(env, rows, csvLine)).join(''))
}
