import { audit } from '../../audit.ts'
import type { Env } from '../../env.ts'
import { AppError, conflict } from '../../errors.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { displayNames } from '../../orm/record/project.ts'
import { unlink } from '../../orm/record/unlink.ts'
import { writeEach } from '../../orm/record/write.ts'
import { constraintNamer } from '../../schema/violations.ts'
import { slicesOf } from '../../slices.ts'
import { isRetryable, translatePgError } from '../../sql/pg-error.ts'
import { sql } from '../../sql/sql.ts'
import { undoable } from '../../work/undoable.ts'
import { lockBatch, saveBatch } from './batch.ts'
import type { Applied } from './write/apply.ts'
import type { ImportReport } from './write/report.ts'

/** Remembers what the import did: the version of every record now, and of updated ones the values before. */
export async function keepForUndo(env: Env, importId: number, model: Model, report: ImportReport): Promise<void> {
  const { applied } = report
  const created = applied.filter(({ change }) => change === 'create').map(({ id }) => id)
  await keepCreated(env, importId, model, created)
  for (const [name, ids] of report.targets) await keepCreated(env, importId, env.registry.model(name)!, ids)
  await keepUpdated(
    env,
    importId,
    model,
    applied.filter(({ change }) => change === 'update'),
  )
}

interface Kept {
  readonly id: number
  readonly change: string
  readonly before: Readonly<Record<string, unknown>> | null
}

/** Rows of one statement. */
const BATCH = 5_000

/** One row for each run of consecutive ids. */
async function keepCreated(env: Env, importId: number, model: Model, ids: readonly number[]): Promise<void> {
  for await (const some of slicesOf(env, ids, BATCH))
    await sql`insert into sys_import_record (import_id, model, res_id, last_id, version, change)
      select ${importId}, ${model.name}, min(id), max(id), version, 'created'
      from (select t.id, t.version, t.id - row_number() over (partition by t.version order by t.id) as run
        from ${sql.table(model.table)} as t where t.id = any(${some}::int[])) as t
      group by version, run`.execute(env.tx)
}

async function keepUpdated(env: Env, importId: number, model: Model, updated: readonly Applied[]): Promise<void> {
  for await (const some of slicesOf(env, updated, BATCH)) {
    const rows = some.map(
      ({ id, before, hasNewLines }): Kept =>
        hasNewLines
          ? { id, change: 'final', before: null }
          : { id, change: 'updated', before: writable(model, before) },
    )
    await sql`insert into sys_import_record (import_id, model, res_id, version, change, before)
      select ${importId}, ${model.name}, t.id, t.version, r.change, r.before
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(id integer, change text, before jsonb)
      join ${sql.table(model.table)} as t on t.id = r.id`.execute(env.tx)
  }
}

/** Wire values as a write takes them. */
const writable = ({ fields }: Model, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isLink = fields.get(name)!.type.comparison === 'many2one'
      return [name, isLink && Array.isArray(value) ? value[0] : value]
    }),
  )

export interface UndoReport {
  readonly removed: number
  readonly restored: number
  /** Records that stay as they are, and why. */
  readonly kept: readonly {
    readonly model: string
    readonly id: number
    readonly name: string
    readonly reason: string
  }[]
  readonly keptCount: number
}

interface Stored extends Kept {
  readonly version: number
  /** Null when the record is gone. */
  readonly now: number | null
}

/**
 * Undoes a finished import with the rights of the caller: records that have not been changed since are deleted or get their former values
 * back. The others are kept and named. If the caller has no right to undo any of it, the import stays open for another user to undo.
 */
export async function undoImport(env: Env, id: number): Promise<UndoReport> {
  const batch = await lockBatch(env, id)
  if (batch.state !== 'done') throw conflict('import_closed', env.t('Only a finished import can be undone.'))
  const models = await env.tx
    .selectFrom('sys_import_record')
    .select('model')
    .where('import_id', '=', id)
    .groupBy('model')
    .orderBy((eb) => eb('model', '=', batch.model), 'desc')
    .orderBy('model')
    .execute()
  const total = { removed: 0, restored: 0 }
  const kept: UndoReport['kept'][number][] = []
  let denied: AppError | null = null
  for (const { model: name } of models) {
    const model = env.registry.model(name)
    if (model === undefined) continue
    const outcome = await undoModel(env, id, model)
    total.removed += outcome.removed
    total.restored += outcome.restored
    denied ??= outcome.denied
    const names = await displayNames(env, model, [...outcome.kept.keys()].slice(0, LIMITS.importShownRows))
    for (const [res, reason] of outcome.kept)
      kept.push({ model: name, id: res, name: names.get(res) ?? `${res}`, reason })
  }
  if (denied !== null && total.removed + total.restored === 0) throw denied
  const report: UndoReport = { ...total, kept: kept.slice(0, LIMITS.importShownRows), keptCount: kept.length }
  await env.tx.deleteFrom('sys_import_record').where('import_id', '=', id).execute()
  await saveBatch(env, id, { state: 'undone', undo_report: report })
  const detail = `removed ${total.removed}, restored ${total.restored}`
  await audit(env, [{ kind: 'import_undone', subject: batch.model, detail }])
  return report
}

async function undoModel(env: Env, importId: number, model: Model) {
  const { rows } = await sql<Stored>`
    select i.id, r.change, r.before, r.version, t.version as now
    from sys_import_record r cross join generate_series(r.res_id, coalesce(r.last_id, r.res_id)) as i(id)
    left join ${sql.table(model.table)} as t on t.id = i.id
    where r.import_id = ${importId} and r.model = ${model.name} order by i.id desc`.execute(env.tx)
  const outcome: Outcome = { kept: new Map(), denied: null }
  const { kept } = outcome
  const untouched = (change: string) => rows.filter((row) => row.change === change && row.now === row.version)
  for (const { id, now, version, change } of rows) {
    if (now !== null && now !== version) kept.set(id, env.t('Was changed since.'))
    else if (now !== null && change === 'final') kept.set(id, env.t('Its lines were replaced.'))
  }
  // The values are kept by the names of their columns; in another language, the name of a translated field would mean its text there.
  const asStored: Env = { ...inBaseLanguage(env), t: env.t }
  const restored = await inHalves(env, untouched('updated'), outcome, (some) =>
    writeEach(asStored, model, new Map(some.map(({ id, before }) => [id, before ?? {}]))),
  )
  const removed = await inHalves(env, untouched('created'), outcome, (some) =>
    unlink(
      env,
      model,
      some.map(({ id }) => id),
    ),
  )
  return { ...outcome, restored, removed }
}

interface Outcome {
  readonly kept: Map<number, string>
  /** The first refusal because of missing rights. */
  denied: AppError | null
}

/** Acts on as many records as possible: a refused batch is halved until the faulty records are found. */
async function inHalves(
  env: Env,
  rows: readonly Stored[],
  outcome: Outcome,
  act: (some: readonly Stored[]) => Promise<unknown>,
): Promise<number> {
  if (rows.length === 0) return 0
  if (rows.length <= 1_000) {
    try {
      await undoable(env, () => act(rows))
      return rows.length
    } catch (error) {
      const known = isRetryable(error) ? error : translatePgError(error, constraintNamer(env.registry, env.t))
      if (!(known instanceof AppError) || known.status >= 500) throw error
      // Not the fault of a record: after the user has confirmed the password, all of them can be undone.
      if (known.reason === 'confirm_password') throw known
      if (known.code === 'ACCESS_DENIED') outcome.denied ??= known
      if (rows.length === 1) {
        outcome.kept.set(rows[0]!.id, known.message)
        return 0
      }
      if (known.reason === 'model_access') {
        for (const { id } of rows) outcome.kept.set(id, known.message)
        return 0
      }
    }
  }
  const half = rows.length <= 1_000 ? Math.ceil(rows.length / 2) : 1_000
  return (
    (await inHalves(env, rows.slice(0, half), outcome, act)) + (await inHalves(env, rows.slice(half), outcome, act))
  )
}
