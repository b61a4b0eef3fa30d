import { mayWriteField, requireWritableModel } from '../access/acl.ts'
import { type AccessExplanation, type AccessQuestion, explainDecision, type Rehearsal } from '../access/explain.ts'
import { scopeCovers } from '../access/key-scope.ts'
import type { Operation } from '../access/tables.ts'
import { asKernel, type Env } from '../env.ts'
import { type AppError, problemsOf } from '../errors.ts'
import { inBaseLanguage } from '../i18n/language.ts'
import { LIMITS } from '../limits.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { read } from '../orm/record/read.ts'
import { unlink } from '../orm/record/unlink.ts'
import { write } from '../orm/record/write.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { readableIds } from '../orm/statement/targets.ts'
import type { InputValues } from '../orm/statement/values.ts'
import { createEnv } from '../work/create-env.ts'
import { refusalOf } from '../work/refusal-of.ts'
import { undone } from '../work/undoable.ts'
import { formLock } from './form-lock.ts'

/**
 * Explains an access decision and rehearses the operation if rights allow it: it runs as the user and is rolled back, so what the
 * behaviour of a model refuses (a locked state, a check, records that still refer to it) is part of the answer. Needs a transaction.
 */
export function explainAccess(env: Env, question: AccessQuestion): Promise<AccessExplanation> {
  const isTold = mayBeTold(env, question)
  return explainDecision(env, question, (as, model, field) =>
    rehearse(withOwnRights(as), model, { ...question, field, isTold }),
  )
}

/**
 * Whether the asker may see the message that the user would get. It may name records that the user may read, so the asker must belong to
 * all companies of the user, and an API key must cover reading the model. Other askers get only the kind of refusal.
 */
const mayBeTold = ({ user: asker }: Env, { user, model }: AccessQuestion): boolean =>
  user.allowedCompanyIds.every((id) => asker.allowedCompanyIds.includes(id)) && scopeCovers(asker.scope, model, 'read')

/**
 * The env of the user after entering the password: the asker's own key or session says nothing about the user. It has an outbox of its
 * own, so that no event of the rehearsal is published.
 */
const withOwnRights = ({ services, registry, access, views, tx, user, requestId, address, now, lang, tz }: Env): Env =>
  createEnv({
    ...{ services, state: { registry, access, views }, tx, requestId, address, now, lang, tz },
    user: { ...user, scope: null, credentials: 'allowed' },
  })

interface Deed {
  readonly id: number
  readonly operation: Operation
  readonly field: Field | null
  readonly isTold: boolean
}

const UNHINDERED: Rehearsal = { refusal: null, except: [], onForm: null }

async function rehearse(env: Env, model: Model, deed: Deed): Promise<Rehearsal | null> {
  const { id, operation, field, isTold } = deed
  const attempt = async (work: () => Promise<unknown>) => {
    const refusal = await refusalTo(env, work)
    return refusal === null ? null : isTold ? Object.values(problemsOf(refusal)).join(' ') : kindOf(env, refusal)
  }
  if (operation === 'unlink') return { ...UNHINDERED, refusal: await attempt(() => removed(env, model, id)) }
  if (operation !== 'write') return null
  const whole = await attempt(() => written(env, model, id, {}))
  if (whole !== null) return { ...UNHINDERED, refusal: whole }
  const values = await ownValues(env, model, id, field === null ? writableFields(model) : [field])
  const all = await attempt(() => written(env, model, id, values))
  const onForm = all === null || field === null ? await formLock(env, model, deed) : null
  if (all === null || field !== null) return { ...UNHINDERED, refusal: all, onForm }
  return {
    ...UNHINDERED,
    except: await refusedFields(env, model, values, (each) => attempt(() => written(env, model, id, each))),
    onForm,
  }
}

const removed = (env: Env, model: Model, id: number): Promise<unknown> => {
  requireWritableModel(model)
  return unlink(env, model, [id])
}

const written = (env: Env, model: Model, id: number, values: InputValues): Promise<unknown> => {
  requireWritableModel(model)
  return write(env, model, [id], values)
}

/** The error with which the operation is refused; null if it succeeds. It is rolled back in both cases. */
async function refusalTo(env: Env, deed: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await undone(env, async () => deed())
    return null
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return refusal
  }
}

/** The kind of a refusal, in words that reveal nothing about the record. */
function kindOf({ t }: Env, { code }: AppError): string {
  if (code === 'VALIDATION') return t('A check of the model refuses it.')
  if (code === 'CONFLICT') return t('The state of the record, or what depends on it, refuses it.')
  return t('The program refuses it to this user.')
}

async function refusedFields(
  env: Env,
  model: Model,
  values: InputValues,
  attempt: (values: InputValues) => Promise<string | null>,
): Promise<Rehearsal['except']> {
  const refused: { name: string; label: string; message: string }[] = []
  for (const [name, value] of Object.entries(values)) {
    const message = await attempt({ [name]: value })
    if (message !== null) refused.push({ name, label: env.t(model.fields.get(name)!.label), message })
  }
  return refused
}

const writableFields = (model: Model): readonly Field[] =>
  [...model.fields.values()].filter(
    ({ system, readonly, compute }) => !system && !readonly && (compute === null || compute.inverse !== null),
  )

/**
 * The values of the record, to be written once more: if the model refuses them, the reason is the record and not a value.
 * Without secrets, files, and links to records that the user may not read.
 */
async function ownValues(env: Env, model: Model, id: number, fields: readonly Field[]): Promise<InputValues> {
  const open = fields.filter((field) => !field.secret && field.type.summary === null && mayWriteField(env, field))
  const names = open.map(({ name }) => name)
  const [record] = await read(inBaseLanguage(asKernel(env)), model, [id], names)
  const values: Record<string, unknown> = {}
  for (const { name, relation } of open) {
    const own = record![name]
    if (relation === null || (await areReadable(env, modelOf(env, relation.target), linkedIds(own)))) values[name] = own
  }
  return values
}

/** The ids of the records that a field with a relation links to: of a many2one the value is its id and name. */
const linkedIds = (own: unknown): readonly number[] =>
  !Array.isArray(own) ? [] : typeof own[1] === 'number' ? own : own.slice(0, 1)

/** Whether the user may read all of them; as many as a call can name. */
const areReadable = async (env: Env, target: Model, ids: readonly number[]): Promise<boolean> =>
  ids.length === 0 || (ids.length <= LIMITS.ids && (await readableIds(env, target, ids)).length === ids.length)
