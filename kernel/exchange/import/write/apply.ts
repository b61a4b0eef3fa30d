import type { Env } from '../../../env.ts'
import type { LinkCommand } from '../../../model/fields/x2many.ts'
import type { Model } from '../../../model/registry.ts'
import { type CompleteRecords, canCompleteEarly, checkNew, completeNew, insertNew } from '../../../orm/record/create.ts'
import { read } from '../../../orm/record/read.ts'
import { readStoredTexts } from '../../../orm/record/stored-texts.ts'
import { writeEach } from '../../../orm/record/write.ts'
import { requireTargets } from '../../../orm/statement/targets.ts'
import type { InputValues, ParsedValues } from '../../../orm/statement/values.ts'
import type { Match } from '../record/match.ts'
import type { ImportRecord, Line } from '../record/record.ts'
import { differing } from './differing.ts'
import { lineChanges } from './stored-lines.ts'

/** A record of the file together with what the import does with it. */
export interface Planned {
  readonly record: ImportRecord
  readonly match: Extract<Match, { readonly kind: 'new' | 'known' }>
}

/** What an import did with a record. */
export interface Applied {
  readonly planned: Planned
  readonly id: number
  readonly change: 'create' | 'update' | 'unchanged'
  /** For an update: the former wire values, by the names under which the changed ones are stored. */
  readonly before: Readonly<Record<string, unknown>>
  /** Lines were replaced, so that the former state cannot be restored. */
  readonly hasNewLines: boolean
}

/**
 * Creates and updates records with the rights, checks and events of any other write: one create and one write for all of them.
 * `checked` is the result of `checkAhead`; `onBusy` is called while the database works, when there is time for other work.
 */
export async function applyRecords(
  env: Env,
  model: Model,
  all: readonly Planned[],
  checked: CheckedRecords | null,
  onBusy: () => void,
): Promise<readonly Applied[]> {
  const created = all.filter(isNew)
  const ids = await createAll(
    env,
    model,
    created.map(({ record }) => newValues(record)),
    checked,
    onBusy,
  )
  const made = created.map(
    (planned, index): Applied => ({ planned, id: ids[index]!, change: 'create', before: {}, hasNewLines: false }),
  )
  return [...made, ...(await applyUpdates(env, model, all, onBusy))]
}

const isNew = ({ match }: Planned): boolean => match.kind === 'new'

async function createAll(
  env: Env,
  model: Model,
  records: readonly InputValues[],
  checked: CheckedRecords | null,
  onBusy: () => void,
): Promise<readonly number[]> {
  if (records.length === 0) return []
  const given = checked?.given ?? (await checkNew(env, model, records))
  await requireTargets(env, model, given)
  return insertNew(env, model, checked?.complete ?? (await completeNew(env, model, records, given)), onBusy)
}

/** New records whose values have been checked, and completed if that may be done early. */
export interface CheckedRecords {
  readonly given: readonly ParsedValues[]
  readonly complete: CompleteRecords | null
}

/**
 * Does the part of `applyRecords` that can be done before earlier records are created; null if that fails, since `applyRecords` will then
 * fail in the same way. `parsed` has the values of records that were already parsed.
 */
export async function checkAhead(
  env: Env,
  model: Model,
  all: readonly Planned[],
  parsed: ReadonlyMap<ImportRecord, ParsedValues>,
): Promise<CheckedRecords | null> {
  const those = all.filter(isNew).map(({ record }) => record)
  const known = those.map((record) => (record.lines.size === 0 ? (parsed.get(record) ?? null) : null))
  const records = those.map(newValues)
  try {
    const given = await checkNew(env, model, records, {}, known)
    return { given, complete: canCompleteEarly(model) ? await completeNew(env, model, records, given) : null }
  } catch {
    return null
  }
}

/** Writes only what differs: a record that has all the values already keeps its version. */
async function applyUpdates(
  env: Env,
  model: Model,
  all: readonly Planned[],
  onBusy: () => void,
): Promise<readonly Applied[]> {
  const known = all.flatMap((planned) => (planned.match.kind === 'known' ? [{ planned, id: planned.match.id }] : []))
  if (known.length === 0) return []
  const names = [...new Set(known.flatMap(({ planned }) => writtenNames(planned.record)))]
  const changesOf = await lineChanges(
    env,
    model,
    known.map(({ planned }) => planned.record),
  )
  const stored = new Map(
    (
      await read(
        env,
        model,
        known.map(({ id }) => id),
        names,
        { isTrusted: true },
      )
    ).map((row) => [row['id'] as number, row]),
  )
  const texts = await readStoredTexts(
    env,
    model,
    known.map(({ id }) => id),
    names,
  )
  const writes = new Map<number, Record<string, unknown>>()
  const applied = known.map(({ planned, id }): Applied => {
    const { values, lines } = planned.record
    const now = stored.get(id)!
    const { changed, before } = differing(env, model, values, now, texts.get(id))
    const replaced = [...lines].flatMap(([name, list]): [string, readonly LinkCommand[]][] => {
      if (list.length === 0 && (now[name] as readonly number[]).length === 0) return []
      const commands = lineUpdates(list, (line) => changesOf(id, name, line))
      return commands.length === 0 ? [] : [[name, commands]]
    })
    const isChanged = Object.keys(changed).length + replaced.length > 0
    if (isChanged) writes.set(id, { ...changed, ...Object.fromEntries(replaced) })
    return { planned, id, change: isChanged ? 'update' : 'unchanged', before, hasNewLines: replaced.length > 0 }
  })
  onBusy()
  await writeEach(env, model, writes)
  return applied
}

/** The fields of a record that are compared; lines only where the file has none, to see whether there are any. */
const writtenNames = ({ values, lines }: ImportRecord): readonly string[] => [
  ...Object.keys(values),
  ...[...lines].flatMap(([name, { length }]) => (length === 0 ? name : [])),
]

const newValues = ({ values, lines }: ImportRecord): Readonly<Record<string, unknown>> =>
  lines.size === 0
    ? values
    : { ...values, ...Object.fromEntries([...lines].map(([name, list]) => [name, list.map(lineCommand)])) }

const lineCommand = ({ id, values }: Line): LinkCommand => (id === null ? [0, 0, values] : [1, id, values])

/** Lines with an id get what differs, others are added; if none has an id, they replace those that are there. */
function lineUpdates(
  lines: readonly Line[],
  changesOf: (line: Line) => Readonly<Record<string, unknown>>,
): readonly LinkCommand[] {
  if (lines.every(({ id }) => id === null)) return [[5], ...lines.map(lineCommand)]
  return lines.flatMap((line) => {
    if (line.id === null) return [lineCommand(line)]
    const values = changesOf(line)
    return Object.keys(values).length === 0 ? [] : [lineCommand({ id: line.id, values })]
  })
}
