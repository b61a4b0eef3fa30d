import { requireModel } from '../../access/acl.ts'
import { saveXmlids } from '../../data/xmlid.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { constraintNamer } from '../../schema/violations.ts'
import { mapInSlices } from '../../slices.ts'
import { isRetryable, translatePgError } from '../../sql/pg-error.ts'
import { undoable } from '../../work/undoable.ts'
import { type Applied, applyRecords, checkAhead, type Planned } from './apply.ts'
import type { Column } from './column.ts'
import { type Found, lookUp, notAlone, Unmatched } from './lookup.ts'
import { type ImportMode, isMatched, matchRecords, type SeenKeys } from './match.ts'
import {
  groupRows,
  type ImportRecord,
  type Links,
  linkTexts,
  type Problem,
  problemOf,
  problemsIn,
  recordReader,
} from './record.ts'
import type { Sheet, SheetRow } from './sheet.ts'
import { type CreatedTargets, dropUnused } from './targets.ts'
import { WaitingRoom } from './waiting.ts'

export interface ImportPlan {
  readonly model: Model
  readonly mode: ImportMode
  readonly columns: readonly Column[]
  readonly sheet: Sheet
}

/** What became of the rows. */
export interface ImportReport {
  readonly applied: readonly Applied[]
  /** Records that were not imported, with what is wrong about them, in the order of the file. */
  readonly refused: readonly Refused[]
  /** Records left out because a column says so. */
  readonly skipped: readonly ImportRecord[]
  /** Records that lookups created. */
  readonly targets: CreatedTargets
  /** Texts of relations that name no record, or several: the ids of these. */
  readonly unmatched: UnmatchedTexts
}

export type UnmatchedTexts = Map<Column, Map<string, readonly number[]>>

export interface Refused {
  readonly record: ImportRecord
  readonly problems: readonly Problem[]
}

/** What the parts of an import add to. */
interface MutableReport extends ImportReport {
  readonly applied: Applied[]
  readonly refused: Refused[]
  readonly skipped: ImportRecord[]
}

/** Records of one statement. */
const BATCH = 1_000
type Group = readonly SheetRow[]
type Checked = Awaited<ReturnType<typeof checkAhead>>

/** Of so few records each is tried alone: bad rows stand together more often than not. */
const SINGLES = 8

/**
 * Imports the rows of a file with the rights of the caller: the same checks, defaults, computes, rules and events as any write, in
 * batches. A batch that is refused is halved until the rows at fault are found, so the rest of it is imported and every problem told; after
 * `LIMITS.importRefusedRows` of them the rest of a refused batch is refused as a whole.
 * The caller decides whether a report with refused rows is kept or rolled back. `onBatch` hears how many records are done.
 */
export async function runImport(
  env: Env,
  plan: ImportPlan,
  onBatch: (done: number, total: number) => void,
): Promise<ImportReport> {
  const { model, columns, sheet, mode } = plan
  requireModel(env, model, 'create')
  if (mode === 'upsert') requireModel(env, model, 'write')
  const report: MutableReport = { applied: [], refused: [], skipped: [], targets: new Map(), unmatched: new Map() }
  const all = await groupRows(env, sheet, columns)
  const links = linkFinder(env, columns, report)
  const room = new WaitingRoom(model, columns, all)
  const prepare = preparation(env, plan, report, room)
  const apply = batchApplier(env, plan, report)
  let count = 0
  for (let groups = all; groups.length > 0; ) {
    const read = recordReader(env, model, columns, await links(groups, room), sheet.headers.length)
    const before = report.applied.length
    const done: ImportRecord[] = []
    for await (const { records, planned, checked } of inBatches(groups, (batch) => prepare(batch, read))) {
      await apply(await planned(), checked)
      for (const record of records) done.push(record)
      onBatch(count + done.length, all.length)
    }
    count += done.length
    await saveXmlids(env.tx, newXmlids(model, report.applied.slice(before)))
    // What names a record of this file comes after it.
    const woken = room.leave(done)
    groups = woken.length > 0 ? woken : room.leaveAll()
  }
  await dropUnused(env, columns, report.applied, report.targets)
  report.refused.sort((a, b) => a.record.rows[0]!.number - b.record.rows[0]!.number)
  return report
}

const textsOf = <T>(all: Map<Column, Map<string, T>>, column: Column): Map<string, T> => {
  const texts = all.get(column) ?? new Map<string, T>()
  all.set(column, texts)
  return texts
}

/** Looks up the texts of relations that rows have and no row before them had. */
function linkFinder(env: Env, columns: readonly Column[], { targets, unmatched }: ImportReport) {
  const links = new Map<Column, Map<string, Found>>()
  return async (groups: readonly (readonly SheetRow[])[], room: WaitingRoom): Promise<Links> => {
    for (const [column, texts] of await linkTexts(env, groups, columns)) {
      const known = textsOf(links, column)
      const isToCome = (text: string) => room.isToCome(column, text)
      const unknown = [...texts].filter((text) => (known.get(text) ?? 'later') === 'later')
      if (unknown.length === 0) continue
      const found = await lookUp(env, column, { texts: unknown, isToCome }, targets)
      for (const [text, each] of found) {
        known.set(text, each)
        if (each instanceof Unmatched) textsOf(unmatched, column).set(text, each.ids)
      }
    }
    return links
  }
}

/** Records of the file that are read, and as far as the database is not needed for it, what becomes of them. */
interface Prepared {
  /** Those that are imported now or never will be. */
  readonly records: readonly ImportRecord[]
  readonly planned: () => Promise<readonly Planned[]>
  readonly checked: Checked | null
}

/** Reads rows and checks their values. Records that wait for others go to the room; of those with problems the report hears. */
function preparation(env: Env, plan: ImportPlan, { refused, skipped }: MutableReport, room: WaitingRoom) {
  const seen: SeenKeys = new Map()
  return async (groups: readonly Group[], read: (rows: Group) => ImportRecord): Promise<Prepared> => {
    const records: ImportRecord[] = []
    const ready: ImportRecord[] = []
    for (const record of await mapInSlices(env, groups, read)) {
      const isSound = record.problems.length === 0
      if (isSound && !record.isSkipped && record.awaits !== null) {
        room.add(record)
        continue
      }
      records.push(record)
      if (!isSound) refused.push({ record, problems: record.problems })
      else if (record.isSkipped) skipped.push(record)
      else ready.push(record)
    }
    const planAll = () => planRecords(env, plan, ready, refused, seen)
    if (isMatched(plan)) return { records, planned: planAll, checked: null }
    const planned = await planAll()
    return { records, planned: async () => planned, checked: await checkAhead(env, plan.model, planned) }
  }
}

/** Prepares the next batch while the database works on one. */
async function* inBatches(
  groups: readonly Group[],
  prepare: (batch: readonly Group[]) => Promise<Prepared>,
): AsyncGenerator<Prepared> {
  const start = (at: number) => {
    const prepared = prepare(groups.slice(at, at + BATCH))
    // It fails in its turn; until then nobody waits for it.
    prepared.catch(() => {})
    return prepared
  }
  let next = start(0)
  for (let at = 0; at < groups.length; at += BATCH) {
    const prepared = await next
    next = start(at + BATCH)
    yield prepared
  }
}

async function planRecords(
  env: Env,
  plan: ImportPlan,
  sound: readonly ImportRecord[],
  refused: Refused[],
  seen: SeenKeys,
): Promise<readonly Planned[]> {
  const matches = await matchRecords(env, plan.model, plan, sound, seen)
  return sound.flatMap((record, index) => {
    const match = matches[index]!
    if (match.kind !== 'refused') return [{ record, match }]
    refused.push({ record, problems: [match.problem] })
    return []
  })
}

/** Applies a batch, or the parts of it that are not refused. */
function batchApplier(env: Env, { model, columns }: ImportPlan, { applied, refused }: MutableReport) {
  let found = 0
  const untried = () => {
    const { sentence, values } = notAlone()
    return env.t(sentence, values)
  }
  const apply = async (batch: readonly Planned[], checked: Checked | null = null): Promise<void> => {
    if (batch.length === 0) return
    try {
      applied.push(...(await undoable(env, () => applyRecords(env, model, batch, checked))))
    } catch (error) {
      const known = isRetryable(error) ? error : translatePgError(error, constraintNamer(env.registry, env.t))
      if (!(known instanceof AppError) || known.status >= 500) throw error
      if (batch.length > 1 && found < LIMITS.importRefusedRows) {
        const part = batch.length <= SINGLES ? 1 : Math.ceil(batch.length / 2)
        for (let at = 0; at < batch.length; at += part) await apply(batch.slice(at, at + part))
        return
      }
      found += batch.length
      for (const { record } of batch) {
        const [row] = record.rows as readonly [SheetRow]
        const problems = batch.length === 1 ? problemsIn(known, columns, row) : [problemOf(row, null, untried())]
        refused.push({ record, problems })
      }
    }
  }
  return apply
}

const newXmlids = (model: Model, applied: readonly Applied[]) =>
  applied.flatMap(({ planned, id }) =>
    planned.match.kind === 'new' && planned.match.xmlid !== null
      ? [{ xmlid: planned.match.xmlid, model: model.name, res_id: id, noupdate: true }]
      : [],
  )
