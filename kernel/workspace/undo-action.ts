import { z } from 'zod'
import {
  isGrantedAction,
  mayCallAction,
  mayReadField,
  mayUseModel,
  mayWriteField,
  requireWritableModel,
} from '../access/acl.ts'
import type { Env } from '../env.ts'
import { badRequest, conflict } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import { read } from '../orm/record/read.ts'
import { writeEach } from '../orm/record/write.ts'
import { seal, unseal } from '../seal.ts'

type Values = Readonly<Record<string, unknown>>

/** Values of records before an action, by id. */
export type Snapshot = ReadonlyMap<number, Values>

/** Former values of records, so that this user can undo an action; null if the model does not allow it or there are too many records. */
export async function takeSnapshot(
  env: Env,
  model: Model,
  action: string,
  ids: readonly number[],
): Promise<Snapshot | null> {
  const reverse = model.undoneBy.get(action)
  // Undoing is a write, which a user who may run the action need not be allowed to do, unless the reverse action is granted to them.
  const isUndoable =
    model.undoableActions.has(action) &&
    (isReverseGranted(env, model, action) || mayUseModel(env, model.name, 'write')) &&
    (reverse === undefined || mayCallAction(env, model, reverse))
  if (!isUndoable || ids.length > LIMITS.triedRecords) return null
  return readValues(env, model, ids)
}

/** Whether the reverse of the action is granted to a group of the user for all readable records. */
function isReverseGranted(env: Env, model: Model, action: string): boolean {
  const reverse = model.undoneBy.get(action)
  return reverse !== undefined && isGrantedAction(env, model, reverse)
}

/**
 * The token with which the caller can undo an action: the replaced values, sealed for this user and a short time; null if there are none
 * or they are too long.
 */
export async function undoTokenOf(env: Env, model: Model, action: string, before: Snapshot): Promise<string | null> {
  const after = await readValues(env, model, [...before.keys()])
  const records = [...before].map(([id, values]) => {
    const now = after.get(id) ?? {}
    const changed = Object.entries(values).filter(([name, value]) => name !== 'version' && !isSame(value, now[name]))
    return { id, version: now['version'], values: Object.fromEntries(changed) }
  })
  if (records.every(({ values }) => Object.keys(values).length === 0)) return null
  const token = await seal(
    env.services,
    purposeOf(env, model),
    JSON.stringify({ at: env.now.getTime(), action, records }),
  )
  return token.length > LIMITS.undoTokenChars ? null : token
}

const SEALED = z.object({
  at: z.number(),
  action: z.string(),
  records: z.array(z.object({ id: z.number(), version: z.number(), values: z.record(z.string(), z.unknown()) })),
})

/** Undoes an action with the rights of the user, or those granted for the reverse action, unless a record has been changed since. */
export async function undoAction(env: Env, model: Model, token: string): Promise<readonly number[]> {
  requireWritableModel(model)
  const text = await unseal(env.services, purposeOf(env, model), token).catch(() => null)
  if (text === null) throw badRequest('input_invalid', 'token: is not valid.', { path: 'token' })
  const { at, action, records } = SEALED.parse(JSON.parse(text))
  const ids = records.map(({ id }) => id)
  const now = new Map((await read(env, model, ids, ['version'])).map((row) => [row['id'], row['version']]))
  const isChanged = records.some(({ id, version }) => now.get(id) !== version)
  if (isChanged || env.now.getTime() - at > LIMITS.undoMs)
    throw conflict('business_rule', env.t('Too late to undo: it has been changed since.'))
  const values = records.map(({ id, values: old }) => [id, old] as const)
  const doer = isReverseGranted(env, model, action) ? env.sudo('the reverse is granted to a group of the user') : env
  await writeEach(doer, model, new Map(values), { setsReadonly: true })
  return ids
}

const purposeOf = ({ user }: Env, { name }: Model): string => `undo ${user.id} ${name}`

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Stored values that the user may read and write, links as ids. */
async function readValues(env: Env, model: Model, ids: readonly number[]): Promise<Snapshot> {
  const fields = [...model.fields.values()].filter(
    (field) =>
      field.column !== null &&
      !field.system &&
      field.compute === null &&
      !field.secret &&
      field.type.name !== 'binary' &&
      field.type.name !== 'image' &&
      mayReadField(env, field) &&
      mayWriteField(env, field),
  )
  const rows = await read(env, model, ids, [...fields.map(({ name }) => name), 'version'])
  const links = new Set(fields.filter(({ relation }) => relation !== null).map(({ name }) => name))
  return new Map(
    rows.map(({ id, ...values }) => [
      Number(id),
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          links.has(name) && Array.isArray(value) ? value[0] : value,
        ]),
      ),
    ]),
  )
}
