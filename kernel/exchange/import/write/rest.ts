import type { Env } from '../../../env.ts'
import { writeEach } from '../../../orm/record/write.ts'
import { undoable } from '../../../work/undoable.ts'
import type { Column } from '../column/column.ts'
import { type Found, lookUp, notAlone } from '../record/lookup.ts'
import { type AwaitedName, type ImportRecord, type Links, recordReader, rowProblem } from '../record/record.ts'
import { none, Unfound } from '../record/unfound.ts'
import type { Applied } from './apply.ts'
import { type Pass, runPass } from './pass.ts'
import { emptyReport, type MutableReport, type Refused } from './report.ts'
import { WaitingRows } from './waiting.ts'

interface Rest extends Omit<Pass, 'read'> {
  readonly links: Links
}

/** Each attempt leaves out the rows for which the one before was refused; as a rule the second succeeds. */
const MAX_ATTEMPTS = 10
/** Links of one statement. */
const BATCH = 1_000

/** Thrown to undo an attempt in which a row is refused. */
class Undo extends Error {}

/**
 * Imports rows that name each other in a circle or in a very long chain: first all of them without these links, then the links. Refused
 * rows are left out, together with the rows that name them.
 */
export async function importRest(
  env: Env,
  rest: Rest,
  report: MutableReport,
  onBatch: (done: number) => void,
): Promise<void> {
  let { groups } = rest
  for (let attempt = 0; groups.length > 0; attempt++) {
    const { tried, room } = await tryRest(env, { ...rest, groups }, onBatch)
    if (tried.refused.length === 0) {
      report.applied.push(...tried.applied)
      report.skipped.push(...tried.skipped)
      return
    }
    const refused = [...tried.refused, ...(await namingThese(env, tried, room))]
    report.refused.push(...refused)
    const left = new Set(refused.map(({ record }) => record.rows))
    groups = groups.filter((rows) => !left.has(rows))
    if (attempt + 1 < MAX_ATTEMPTS) continue
    const { sentence, values } = notAlone()
    for (const { planned } of tried.applied)
      if (!left.has(planned.record.rows))
        report.refused.push({
          record: planned.record,
          problems: [rowProblem(planned.record.rows[0]!, null, env.t(sentence, values))],
        })
    return
  }
}

/** Imports the rows, sets their links, and undoes both if anything is refused. */
async function tryRest(env: Env, rest: Rest, onBatch: (done: number) => void) {
  const { model, columns, sheet } = rest.plan
  const room = await WaitingRows.open(env, model, columns, rest.groups)
  const isSetAfter = ({ column, text }: AwaitedName) => column.line === null && room.isToCome(column, text)
  const read = recordReader(env, model, columns, rest.links, sheet.headers.length, isSetAfter)
  const tried = emptyReport()
  try {
    await undoable(env, async () => {
      await runPass(env, { ...rest, read, seen: new Map(rest.seen) }, tried, onBatch)
      if (tried.refused.length === 0) await setLinks(env, rest, tried)
      if (tried.refused.length > 0) throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return { tried, room }
}

async function setLinks(env: Env, { plan, tryInParts }: Rest, { applied, refused }: MutableReport): Promise<void> {
  const linked = applied.filter(({ planned }) => planned.record.after.length > 0)
  const found = await namedRecords(env, linked)
  const writes: { readonly record: ImportRecord; readonly id: number; readonly values: Values }[] = []
  for (const { planned, id } of linked) {
    const { record } = planned
    const values = linkValues(record, found)
    if (values instanceof Unfound) {
      const message = env.t(values.sentence, values.values)
      refused.push({ record, problems: [rowProblem(record.rows[0]!, record.after[0]!.column, message)] })
    } else writes.push({ record, id, values })
  }
  for (let at = 0; at < writes.length; at += BATCH)
    await tryInParts(
      writes.slice(at, at + BATCH),
      async (part) => {
        await writeEach(env, plan.model, new Map(part.map(({ id, values }) => [id, values])))
      },
      ({ record }, problems) => refused.push({ record, problems }),
    )
}

type Values = Readonly<Record<string, unknown>>

/** The records that have been imported for the names. */
async function namedRecords(env: Env, linked: readonly Applied[]): Promise<Links> {
  const texts = new Map<Column, Set<string>>()
  for (const { planned } of linked)
    for (const { column, text } of planned.record.after) texts.set(column, (texts.get(column) ?? new Set()).add(text))
  const found = new Map<Column, ReadonlyMap<string, Found>>()
  for (const [column, those] of texts) {
    const wanted = { texts: [...those], isToCome: () => false, isOwn: () => true }
    found.set(column, await lookUp(env, { ...column, policy: 'match', settled: new Map() }, wanted, new Map()))
  }
  return found
}

/** What is written to a record for its links. */
function linkValues({ after }: ImportRecord, found: Links): Values | Unfound {
  const values: Record<string, unknown> = {}
  for (const { column, text } of after) {
    const id = found.get(column)!.get(text)!
    if (id instanceof Unfound) return id
    const { name, relation } = column.field!
    values[name] = relation!.kind === 'many2one' ? id : [...((values[name] as unknown[]) ?? []), [4, id]]
  }
  return values
}

/** The records that name refused ones, directly or through others. */
async function namingThese(
  env: Env,
  { applied, refused }: MutableReport,
  room: WaitingRows,
): Promise<readonly Refused[]> {
  const known = new Set(refused.map(({ record }) => record.rows))
  const records = new Map<ImportRecord['rows'], ImportRecord>()
  for (const { planned } of applied) {
    const { rows, after } = planned.record
    records.set(rows, planned.record)
    for (const awaits of after) room.add({ rows, awaits })
  }
  const more: Refused[] = []
  for (
    let woken = await room.leave(
      env,
      refused.map(({ record }) => record),
    );
    woken.length > 0;
  ) {
    const next = [...new Set(woken)].filter((rows) => !known.has(rows)).map((rows) => records.get(rows)!)
    for (const record of next) {
      known.add(record.rows)
      const { column, text } = record.after[0]!
      const { sentence, values } = none(text)
      more.push({ record, problems: [rowProblem(record.rows[0]!, column, env.t(sentence, values))] })
    }
    woken = await room.leave(env, next)
  }
  return more
}
