import { requireModel } from '../../../access/acl.ts'
import type { Env } from '../../../env.ts'
import type { Column } from '../column/column.ts'
import type { SheetRow } from '../file/sheet.ts'
import { type Found, lookUp } from '../record/lookup.ts'
import type { SeenKeys } from '../record/match.ts'
import { groupRows, type Links, linkTexts, recordReader } from '../record/record.ts'
import { dropUnused } from '../record/targets.ts'
import { Unfound } from '../record/unfound.ts'
import { mergeBeside } from './merge-indexes.ts'
import { runPass } from './pass.ts'
import { emptyReport, type ImportPlan, type ImportReport } from './report.ts'
import { importRest } from './rest.ts'
import { partsOf } from './try-in-parts.ts'
import { WaitingRows } from './waiting.ts'

/** Levels of rows that name each other, each imported after the one above it; the links of deeper rows are set at the end. */
const MAX_LEVELS = 32

/**
 * Imports the rows of a file with the rights of the caller: the same checks, defaults, computes, rules and events as any write, in
 * batches. A refused batch is halved until the faulty rows are found, so that the rest of it is imported and every problem reported.
 * The caller decides whether an import with refused rows is kept or rolled back. `onBatch` is called with the number of records done.
 */
export async function runImport(
  env: Env,
  plan: ImportPlan,
  onBatch: (done: number, total: number) => void,
): Promise<ImportReport> {
  const { model, columns, sheet, mode } = plan
  requireModel(env, model, 'create')
  if (mode === 'upsert') requireModel(env, model, 'write')
  const report = emptyReport()
  const all = await groupRows(env, sheet, columns)
  const links = linkFinder(env, columns, report)
  const room = await WaitingRows.open(env, model, columns, all)
  const common = { plan, room, tryInParts: partsOf(env, columns) }
  const seen: SeenKeys = new Map()
  let count = 0
  const merge = await mergeBeside(env, model, all.length)
  const tell = (done: number) => {
    merge(count + done)
    onBatch(count + done, all.length)
  }
  let groups = all
  for (let level = 0; groups.length > 0 && level < MAX_LEVELS; level++) {
    const read = recordReader(env, model, columns, await links(groups, room), sheet.headers.length)
    const done = await runPass(env, { ...common, groups, read, seen }, report, tell)
    count += done.length
    // Rows that name a record of this level are imported in the next one.
    groups = await room.leave(env, done)
  }
  const rest = [...groups, ...room.leaveAll()]
  if (rest.length > 0)
    await importRest(env, { ...common, groups: rest, links: await links(rest, room), seen }, report, tell)
  await dropUnused(env, columns, report.applied, report.targets)
  report.refused.sort((a, b) => a.record.rows[0]!.number - b.record.rows[0]!.number)
  return report
}

const textsOf = <T>(all: Map<Column, Map<string, T>>, column: Column): Map<string, T> => {
  const texts = all.get(column) ?? new Map<string, T>()
  all.set(column, texts)
  return texts
}

/** Looks up those texts of relations that no earlier row had. */
function linkFinder(env: Env, columns: readonly Column[], { targets, unmatched }: ImportReport) {
  const links = new Map<Column, Map<string, Found>>()
  return async (groups: readonly (readonly SheetRow[])[], room: WaitingRows): Promise<Links> => {
    for (const [column, texts] of await linkTexts(env, groups, columns)) {
      const known = textsOf(links, column)
      const isToCome = (text: string) => room.isToCome(column, text)
      const isOwn = (text: string) => room.isOwn(column, text)
      const unknown = [...texts].filter((text) => (known.get(text) ?? 'later') === 'later')
      if (unknown.length === 0) continue
      const found = await lookUp(env, column, { texts: unknown, isToCome, isOwn }, targets)
      for (const [text, each] of found) {
        known.set(text, each)
        if (each instanceof Unfound && each.ids) textsOf(unmatched, column).set(text, each.ids)
      }
    }
    return links
  }
}
