import { requireModel, requireWritableModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { AppError, problemsOf } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { ActionResult } from '../model/behavior.ts'
import { isRecordId } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { callAction } from '../orm/record/action.ts'
import { search } from '../orm/record/search.ts'
import { unlink } from '../orm/record/unlink.ts'
import { write } from '../orm/record/write.ts'
import { missing } from '../orm/statement/refusals.ts'
import { translatePgError } from '../sql/pg-error.ts'
import { sql } from '../sql/sql.ts'
import type { WireActed } from '../view/wire.ts'
import { refusalOf } from '../work/refusal-of.ts'
import { undoable } from '../work/undoable.ts'
import { takeSnapshot, undoTokenOf } from './undo-action.ts'

export interface Acted {
  readonly model: Model
  readonly ids: readonly number[]
  /** Name of an object action, or of one that every model has. */
  readonly action: string
  readonly vals: Readonly<Record<string, string>>
  /** The values for `write`. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
  /** Only find out whether it would work; nothing is changed. */
  readonly isTrial: boolean
}

/**
 * Runs an action on all records or on none: if some refuse, each is tried by itself, everything is rolled back, and the answer says which
 * would work and why the others do not. The caller can then repeat the call for those that work. An error that the action of one record
 * returns must be answered after the commit, as for a call.
 */
export async function actOnRecords(env: Env, acted: Acted): Promise<WireActed | AppError> {
  const { model, action, ids, isTrial } = acted
  requireWritableModel(model)
  requireModel(env, model, 'read')
  const absent = ids.find((id) => !isRecordId(id))
  if (absent !== undefined) throw missing(env, model, absent)
  const before = isTrial ? null : await takeSnapshot(env, model, action, ids)
  if (isTrial) await limitStatements(env)
  const whole = await attempt(env, acted, ids)
  // The trial took too long, so only running the action will tell.
  if (whole === LATE) return { done: [], possible: ids, refused: [] }
  if (isKept(whole)) return whole.kept
  if (whole instanceof AppError) {
    // Trying each record costs a savepoint; for this many records only the first reason is given.
    if (ids.length > LIMITS.triedRecords) throw whole
    return { done: [], ...(await findRefusals(env, acted, whole)) }
  }
  const undo = before === null ? null : await undoTokenOf(env, model, action, before)
  const redirect = whole === true ? {} : whole
  return { done: isTrial ? [] : ids, possible: ids, refused: [], ...redirect, ...(undo !== null && { undo }) }
}

/** Limits every later statement of the transaction to the time of a trial. */
const limitStatements = (env: Env) =>
  sql`select set_config('statement_timeout', ${String(LIMITS.triedMs)}, true)`.execute(env.tx)

const isSingle = ({ isTrial }: Acted, ids: readonly number[]): boolean => ids.length === 1 && !isTrial

/** An error that the action returned and did not throw: its changes are kept. */
interface Kept {
  readonly kept: AppError
}

type Outcome = ActionResult | AppError

/** The outcome of a trial that took too long. */
const LATE = Symbol('late')

const isKept = (outcome: Outcome | Kept): outcome is Kept => outcome !== true && 'kept' in outcome

/** Actions that every list offers, besides those of its model. */
const COMMON: ReadonlyMap<string, (env: Env, acted: Acted, ids: readonly number[]) => Promise<true>> = new Map([
  ['unlink', (env: Env, { model }: Acted, ids: readonly number[]) => unlink(env, model, ids)],
  ['write', (env: Env, { model, values = {} }: Acted, ids: readonly number[]) => write(env, model, ids, values)],
  ['archive', (env: Env, { model }: Acted, ids: readonly number[]) => write(env, model, ids, { active: false })],
  ['unarchive', (env: Env, { model }: Acted, ids: readonly number[]) => write(env, model, ids, { active: true })],
])

/** Thrown to roll a trial back. */
const TRIED = new Error('tried')

/** Runs the action on some of the records. A refusal is returned after everything was rolled back. */
async function attempt(env: Env, acted: Acted, ids: readonly number[]): Promise<Outcome | Kept | typeof LATE> {
  const { model, action, vals, isTrial } = acted
  let result = true as Outcome
  const as = isTrial ? env.onTrial() : env
  try {
    await undoable(env, async () => {
      const common = COMMON.get(action)
      result = await (common
        ? common(as, acted, ids)
        : callAction(as, model, ids.slice(0, 1), action, { ...vals, active_ids: ids.join() }))
      if (result instanceof AppError && !isSingle(acted, ids)) throw result
      if (isTrial) throw TRIED
    })
    return result instanceof AppError ? { kept: result } : result
  } catch (error) {
    if (error === TRIED) return result
    // A missing password confirmation is no refusal of a record: it is thrown once for the whole call.
    const known = refusalOf(error)
    if (known !== null) return known
    if (isTrial && isTimedOut(error)) return LATE
    throw error
  }
}

function isTimedOut(error: unknown): boolean {
  const known = translatePgError(error)
  return known instanceof AppError && known.reason === 'timed_out'
}

async function findRefusals(env: Env, acted: Acted, whole: AppError): Promise<Pick<WireActed, 'possible' | 'refused'>> {
  const { model, ids } = acted
  const trial = { ...acted, isTrial: true }
  const outcomes = new Map<number, Outcome | Kept>()
  const { clock } = env.services
  const end = clock().getTime() + LIMITS.triedMs
  await limitStatements(env)
  for (const id of ids) {
    if (clock().getTime() > end) throw whole
    const outcome = ids.length === 1 ? whole : await attempt(env, trial, [id])
    if (outcome === LATE) throw whole
    outcomes.set(id, outcome)
  }
  const possible = ids.filter((id) => !(outcomes.get(id) instanceof AppError))
  const names = await namesOf(env, model, ids)
  const refused = ids.flatMap((id) => {
    const outcome = outcomes.get(id)
    const name = names.get(id) ?? String(id)
    if (!(outcome instanceof AppError)) return []
    return [{ id, name, reason: outcome.reason, message: Object.values(problemsOf(outcome)).join(' ') }]
  })
  // Each record alone is accepted, but not all of them together.
  if (refused.length === 0) throw whole
  return { possible, refused }
}

async function namesOf(env: Env, model: Model, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const query = { domain: [['id', 'in', ids]], fields: ['display_name'], archived: 'include', isTrusted: true } as const
  const { records } = await search(env, model, query)
  return new Map(records.map((record) => [Number(record['id']), String(record['display_name'] ?? record['id'])]))
}
