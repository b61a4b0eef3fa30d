import { saveXmlids } from '../../../data/xmlid.ts'
import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import type { ParsedValues } from '../../../orm/statement/values.ts'
import { mapInSlices } from '../../../slices.ts'
import type { SheetRow } from '../file/sheet.ts'
import { isMatched, matchRecords, type SeenKeys } from '../record/match.ts'
import type { ImportRecord, ReadRecord } from '../record/record.ts'
import { type Applied, applyRecords, type CheckedRecords, checkAhead, type Planned } from './apply.ts'
import type { ImportPlan, MutableReport, Refused } from './report.ts'
import type { TryInParts } from './try-in-parts.ts'
import type { WaitingRows } from './waiting.ts'

/** Records of one statement. */
const BATCH = 2_000
/** Cells that are read before other requests get their turn; each of them may be refused with its own sentence. */
const SLICE_CELLS = 250
/** Characters that take as long as a cell: those of rich text are checked one by one. */
const CELL_CHARS = 256
type Group = readonly SheetRow[]

/** Cells to read for a record, with long ones counted as several. */
const sizeOf = (rows: Group): number =>
  rows.reduce((size, { cells }) => cells.reduce((sum, { length }) => sum + 1 + length / CELL_CHARS, size), 0)

/** Rows that are imported together, since none of them waits for another. */
export interface Pass {
  readonly plan: ImportPlan
  readonly groups: readonly Group[]
  readonly read: (rows: Group) => ReadRecord
  /** Keeps the records that wait for others. */
  readonly room: WaitingRows
  readonly seen: SeenKeys
  readonly tryInParts: TryInParts
}

/** Imports rows in batches. Returns the records that are done: imported, refused or skipped. */
export async function runPass(
  env: Env,
  pass: Pass,
  report: MutableReport,
  onBatch: (done: number) => void,
): Promise<readonly ImportRecord[]> {
  const { model } = pass.plan
  const before = report.applied.length
  const done: ImportRecord[] = []
  const batches = ahead(pass.groups, preparation(env, pass, report))
  for (let at = 0; at < pass.groups.length; at += BATCH) {
    const { records, planned, checked } = await batches(at)
    const batch = await planned()
    const prepareNext = () => void batches(at + BATCH)
    await pass.tryInParts(
      batch,
      async (part) => {
        const known = part.length === batch.length ? checked : null
        report.applied.push(...(await applyRecords(env, model, part, known, prepareNext)))
      },
      ({ record }, problems) => report.refused.push({ record, problems }),
    )
    for (const record of records) done.push(record)
    onBatch(done.length)
  }
  await saveXmlids(env.tx, newXmlids(model, report.applied.slice(before)))
  return done
}

/** Records read from the file, with what could be decided about them without the database. */
interface Prepared {
  /** The records that are done after this batch: imported, refused or skipped. */
  readonly records: readonly ImportRecord[]
  readonly planned: () => Promise<readonly Planned[]>
  readonly checked: CheckedRecords | null
}

/** Reads rows and checks their values. Records that wait for others are added to the room, those with problems to the report. */
function preparation(env: Env, { plan, seen, room, read }: Pass, { refused, skipped }: MutableReport) {
  return async (groups: readonly Group[]): Promise<Prepared> => {
    const records: ImportRecord[] = []
    const ready: ImportRecord[] = []
    const parsed = new Map<ImportRecord, ParsedValues>()
    for (const { record, parsed: values } of await mapInSlices(env, groups, read, SLICE_CELLS, sizeOf)) {
      const isSound = record.problems.length === 0
      if (isSound && !record.isSkipped && record.awaits !== null) {
        room.add(record)
        continue
      }
      records.push(record)
      if (!isSound) refused.push({ record, problems: record.problems })
      else if (record.isSkipped) skipped.push(record)
      else {
        ready.push(record)
        if (values !== null) parsed.set(record, values)
      }
    }
    const planAll = () => planRecords(env, plan, ready, refused, seen)
    if (isMatched(plan)) return { records, planned: planAll, checked: null }
    const planned = await planAll()
    return { records, planned: async () => planned, checked: await checkAhead(env, plan.model, planned, parsed) }
  }
}

/**
 * The batch that begins at a row, prepared only once. The next one may be requested early, while the database works on this one; not
 * before that, since this batch would then wait for the preparation of the next.
 */
function ahead(groups: readonly Group[], prepare: (batch: readonly Group[]) => Promise<Prepared>) {
  let begun: { readonly at: number; readonly prepared: Promise<Prepared> } | null = null
  return (at: number): Promise<Prepared> => {
    if (begun?.at !== at) {
      begun = { at, prepared: prepare(groups.slice(at, at + BATCH)) }
      // The error is thrown where the batch is awaited; without this it would count as unhandled until then.
      begun.prepared.catch(() => {})
    }
    return begun.prepared
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

const newXmlids = (model: Model, applied: readonly Applied[]) =>
  applied.flatMap(({ planned, id }) =>
    planned.match.kind === 'new' && planned.match.xmlid !== null
      ? [{ xmlid: planned.match.xmlid, model: model.name, res_id: id, noupdate: true }]
      : [],
  )
