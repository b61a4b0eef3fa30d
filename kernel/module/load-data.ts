import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type IdOf, mentionedXmlids, type PreparedRecord, prepareRecords } from '../data/prepare.ts'
import { type DataProblem, dataError } from '../data/problem.ts'
import { readFiles } from '../data/read.ts'
import type { SourceRecord, TextFile } from '../data/source.ts'
import { findXmlids, forgetXmlids, type KnownXmlid, saveXmlids, splitXmlid, type Xmlid } from '../data/xmlid.ts'
import type { Env } from '../env.ts'
import { AppError } from '../errors.ts'
import { inBaseLanguage } from '../i18n/language.ts'
import type { Model } from '../model/registry.ts'
import { linkedIds } from '../orm/compute/needs-store.ts'
import { create } from '../orm/record/create.ts'
import { read } from '../orm/record/read.ts'
import { unlink } from '../orm/record/unlink.ts'
import { write } from '../orm/record/write.ts'
import { modelOf } from '../orm/statement/scope.ts'
import type { InputValues } from '../orm/statement/values.ts'
import { readParam, writeParam } from '../param.ts'
import { constraintNamer } from '../schema/violations.ts'
import type { Db } from '../sql/database.ts'
import { isRetryable, translatePgError } from '../sql/pg-error.ts'
import { sql } from '../sql/sql.ts'
import { SYSTEM_USER } from '../work/system-user.ts'
import { undoable } from '../work/undoable.ts'

export interface LoadResult {
  readonly created: number
  readonly updated: number
  readonly removed: number
}

export interface LoadOptions {
  /** Demo records: created once and never updated afterwards. */
  readonly demo?: boolean
}

/** External id → hash of the record in the addon's files when it was last loaded. */
export type Loaded = Readonly<Record<Xmlid, string>>

export const loadedKey = (addon: string) => `data:${addon}`

/**
 * Brings the records of an addon's data files into the database, through the ORM under sudo. A record whose file did not
 * change since the last load is left as it is, and so is one that is marked `noupdate` or that a user has changed; both
 * get translations that they lack. Records that are no longer in the files are deleted, unless a user has changed them.
 */
export async function loadData(
  env: Env,
  addon: string,
  files: readonly TextFile[],
  { demo = false }: LoadOptions = {},
): Promise<LoadResult> {
  const { records, problems: unreadable } = readFiles(addon, files)
  const before = await readParam<Loaded>(env.tx, loadedKey(addon), {})
  const named = [...mentionedXmlids(addon, records), ...Object.keys(before)]
  const known = await findNamedRecords(env.tx, named, (model) => env.registry.model(model)?.table)
  const context = {
    registry: env.registry,
    module: addon,
    now: env.now,
    modelOfKnown: (xmlid: Xmlid) => known.get(xmlid)?.model,
  }
  const { prepared, problems, failed } = prepareRecords(context, records)
  const found = { problems: [...unreadable, ...problems], failed: new Set(failed) }

  const after: Loaded = Object.fromEntries(records.map((record) => [record.xmlid, hashOf(record)]))
  const changed = prepared.filter(({ source }) => before[source.xmlid] !== after[source.xmlid])
  // Correct records are loaded even if others are wrong, so that errors of the database are reported together with the others.
  const result = await applyRecords(env, changed, known, demo ? addon : null, found)
  if (found.problems.length > 0) throw dataError(addon, inFileOrder(files, found.problems))
  if (demo) return { ...result, removed: 0 }
  const gone = Object.keys(before).flatMap((xmlid) => (xmlid in after ? [] : (known.get(xmlid) ?? [])))
  const removed = await removeRecords(env, gone.filter(isOurs))
  await writeParam(env.tx, loadedKey(addon), after)
  return { ...result, removed: removed.length }
}

/** Removes the hashes of records, so that the next load creates the records again. */
export async function forgetLoaded(tx: Db, addon: string, xmlids: ReadonlySet<Xmlid>): Promise<void> {
  const before = await readParam<Loaded>(tx, loadedKey(addon), {})
  await writeParam(tx, loadedKey(addon), Object.fromEntries(Object.entries(before).filter(([key]) => !xmlids.has(key))))
}

export const hashOf = ({ model, noupdate, fields }: SourceRecord): string => {
  const text = JSON.stringify([model, noupdate, [...fields].map(([name, { value }]) => [name, value])])
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, 16)
}

/** A record an external id names, and whether a user has written it. */
export interface NamedRecord extends KnownXmlid {
  readonly edited: boolean
}

/** The records behind external ids that really exist. `tableOf` gives the table of a model, if there is one. */
export async function findNamedRecords(
  db: Db,
  xmlids: Iterable<Xmlid>,
  tableOf: (model: string) => string | undefined,
): Promise<Map<Xmlid, NamedRecord>> {
  const known = [...(await findXmlids(db, xmlids)).values()]
  const found = new Map<Xmlid, NamedRecord>()
  for (const model of new Set(known.map((entry) => entry.model))) {
    const table = tableOf(model)
    if (table === undefined) continue
    const entries = known.filter((entry) => entry.model === model)
    const { rows } = await sql<{ id: number; edited: boolean }>`
      select id, coalesce(write_uid, 0) <> ${SYSTEM_USER.id} as edited from ${sql.table(table)}
      where id = any(${entries.map((entry) => entry.res_id)}::int[])`.execute(db)
    const editedById = new Map(rows.map((row) => [row.id, row.edited]))
    for (const entry of entries) {
      const edited = editedById.get(entry.res_id)
      if (edited !== undefined) found.set(entry.xmlid, { ...entry, edited })
    }
  }
  return found
}

export const isOurs = (record: NamedRecord) => !record.noupdate && !record.edited

/** Mistakes so far, and the records that have one. */
interface Mistakes {
  readonly problems: DataProblem[]
  readonly failed: Set<Xmlid>
}

function inFileOrder(files: readonly TextFile[], problems: readonly DataProblem[]): readonly DataProblem[] {
  const at = new Map(files.map(({ name }, index) => [name, index]))
  return problems.toSorted((a, b) => (at.get(a.file) ?? 0) - (at.get(b.file) ?? 0) || a.line - b.line)
}

/** `demoOf` is the addon if these are records of its examples. */
async function applyRecords(
  env: Env,
  records: readonly PreparedRecord[],
  known: ReadonlyMap<Xmlid, NamedRecord>,
  demoOf: string | null,
  { problems, failed }: Mistakes,
): Promise<Omit<LoadResult, 'removed'>> {
  const ids = new Map([...known].map(([xmlid, { res_id }]) => [xmlid, res_id]))
  const idOf = (xmlid: Xmlid) => ids.get(xmlid)!
  let batch: PreparedRecord[] = []
  let created = 0
  let updated = 0
  const flush = async () => {
    const [first] = batch
    if (first === undefined) return
    const made = await createRecords(env, first.model, batch, idOf, problems)
    const entries = batch.map(({ source }, i) => ({
      xmlid: source.xmlid,
      model: source.model,
      res_id: made[i] ?? 0,
      noupdate: demoOf !== null || source.noupdate,
    }))
    for (const { xmlid, res_id } of entries) res_id === 0 ? failed.add(xmlid) : ids.set(xmlid, res_id)
    await saveXmlids(
      env.tx,
      entries.filter(({ res_id }) => res_id !== 0),
    )
    created += batch.length
    batch = []
  }
  for (const record of records) {
    if (failed.has(record.source.xmlid)) continue
    const existing = known.get(record.source.xmlid)
    const waitsForBatch = batch.some(({ source }) => record.refs.has(source.xmlid))
    if (existing !== undefined || waitsForBatch || batch[0]?.model !== record.model) await flush()
    // The problem of the record it refers to has been reported, so this one is skipped without a message.
    if ([...record.refs].some((ref) => failed.has(ref))) {
      failed.add(record.source.xmlid)
      continue
    }
    if (existing === undefined) batch.push(record)
    else if (isOurs(existing)) {
      await attempt(env, record, problems, () => write(env, record.model, [existing.res_id], record.values(idOf)))
      updated++
    } else if (demoOf !== null && !existing.edited && splitXmlid(existing.xmlid).module !== demoOf) {
      await attempt(env, record, problems, () => fillRecord(env, record.model, existing.res_id, record.values(idOf)))
      updated++
    } else {
      await attempt(env, record, problems, () => fillTranslations(env, record.model, existing, record.values(idOf)))
    }
  }
  await flush()
  return { created, updated }
}

/** Writes the values of fields that are empty, those of related fields into the record they show. */
async function fillRecord(env: Env, model: Model, id: number, values: InputValues): Promise<void> {
  const relatedOf = (name: string) => model.fields.get(name)?.related ?? null
  const links = new Set(Object.keys(values).flatMap((name) => relatedOf(name)?.[0] ?? []))
  const [present = {}] = await read(env, model, [id], [...Object.keys(values), ...links])
  const lacking = Object.entries(values).filter(([name]) => present[name] === null)
  const own = lacking.filter(([name]) => relatedOf(name) === null)
  if (own.length > 0) await write(env, model, [id], Object.fromEntries(own))
  for (const link of links) {
    const shown = lacking.flatMap(([name, value]) => {
      const path = relatedOf(name)
      return path?.[0] === link && path.length === 2 ? [[path[1]!, value] as const] : []
    })
    const [linked] = linkedIds(present[link])
    if (linked === undefined || shown.length === 0) continue
    await write(env, modelOf(env, model.fields.get(link)!.relation!.target), [linked], Object.fromEntries(shown))
  }
}

/** Writes the translations that a record lacks of texts that still are what the file says, as when a release brings a language. */
async function fillTranslations(env: Env, model: Model, named: NamedRecord, values: InputValues): Promise<void> {
  const id = named.res_id
  const names = Object.keys(values).flatMap((name) => {
    const of = model.fields.get(name)?.translationOf
    return of === undefined || of === null ? [] : [{ name, of }]
  })
  if (names.length === 0) return
  const [present = {}] = await read(
    inBaseLanguage(env),
    model,
    [id],
    [...new Set(names.flatMap(({ name, of }) => [name, of]))],
  )
  const lacking = names.filter(({ name, of }) => present[name] === null && present[of] === values[of])
  if (lacking.length === 0) return
  await write(env, model, [id], Object.fromEntries(lacking.map(({ name }) => [name, values[name]])))
  // Now the service is the last writer, so the record is marked as changed by a user, or an update would overwrite it.
  await saveXmlids(env.tx, [{ ...named, noupdate: true }])
}

/** Creates all records with one INSERT; if that fails, one by one, to report every wrong record. */
async function createRecords(
  env: Env,
  model: Model,
  batch: readonly PreparedRecord[],
  idOf: IdOf,
  problems: DataProblem[],
): Promise<number[]> {
  try {
    const makeAll = () =>
      create(
        env,
        model,
        batch.map((record) => record.values(idOf)),
      )
    return await undoable(env, makeAll)
  } catch (error) {
    if (isRetryable(error)) throw error
  }
  const made: number[] = []
  for (const record of batch) {
    const ids = await attempt(env, record, problems, () => create(env, model, [record.values(idOf)]))
    made.push(ids?.[0] ?? 0)
  }
  return made
}

/** Runs `work` for one record; an error is reported as a problem of its line. */
async function attempt<T>(
  env: Env,
  { source }: PreparedRecord,
  problems: DataProblem[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await undoable(env, work)
  } catch (error) {
    const translated = translatePgError(error, constraintNamer(env.registry, env.t, { isForAdministrator: true }))
    if (isRetryable(error) || !(translated instanceof AppError)) throw error
    const fields = Object.entries(Object(translated.details['fields'])).map(([name, reason]) => `${name}: ${reason}`)
    const reason = fields.length > 0 ? fields.join(' ') : translated.message
    problems.push({ file: source.file, line: source.line, reason: `${source.model} ${source.xmlid}, ${reason}` })
    return undefined
  }
}

/**
 * Deletes named records, the latest first. A record that others still refer to is kept, with its external id. Returns the
 * external ids of the deleted ones.
 */
export async function removeRecords(env: Env, records: readonly KnownXmlid[]): Promise<Xmlid[]> {
  const removed: Xmlid[] = []
  for (const { xmlid, model: name, res_id } of records.toReversed()) {
    const model = env.registry.model(name)
    if (model === undefined) continue
    try {
      await undoable(env, () => unlink(env, model, [res_id]))
      removed.push(xmlid)
    } catch (error) {
      const translated = translatePgError(error)
      if (isRetryable(error) || !(translated instanceof AppError)) throw error
      if (translated.code === 'NOT_FOUND') removed.push(xmlid)
    }
  }
  await forgetXmlids(env.tx, removed)
  return removed
}
