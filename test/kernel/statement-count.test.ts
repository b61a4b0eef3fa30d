import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import type { Env } from '../../kernel/env.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { callAction } from '../../kernel/orm/record/action.ts'
import { copiedValues } from '../../kernel/orm/record/copy.ts'
import { create } from '../../kernel/orm/record/create.ts'
import { read } from '../../kernel/orm/record/read.ts'
import { unlink } from '../../kernel/orm/record/unlink.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { hasDefault } from '../../kernel/orm/statement/defaults.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { flushOutbox } from '../../kernel/work/flush-outbox.ts'
import { undoable } from '../../kernel/work/undoable.ts'
import { openPeople, type People } from '../support/people.ts'

const [FEW, MANY] = [2, 40]
/** Many records may have links or figures that the few lack, which takes some more statements; one more per record would be 38. */
const MORE = 30

let people: People

beforeAll(async () => {
  people = await openPeople(['contacts', 'crm', 'project'])
  const { access } = await people.modules.holder.latest()
  await people.hire('boss', [...access.groupIdByXmlid.keys()])
})
afterAll(() => people.leave())

const RUN_BACK = new Error('undone')

/** A refusal of the kernel, or of PostgreSQL before it is translated. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof Error && 'severity' in error)

/** Statements of some work, whose effects are undone; null: refused. */
async function statementsOf(env: Env, work: () => Promise<unknown>): Promise<number | null> {
  let count: number | null = null
  await undoable(env, async () => {
    const before = people.database.statements.length
    await work()
    await flushOutbox(env)
    count = people.database.statements.length - before
    throw RUN_BACK
  }).catch((error: unknown) => {
    if (error !== RUN_BACK && !isRefusal(error)) throw error
  })
  return count
}

/** What new records begin with, by model, where an action refuses others. */
const BEGINNINGS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { 'crm.lead': { type: 'lead' } }

let serial = 0

/** Values of so many new records, taken from the records there are; values that must be unique are new. */
async function newValues(env: Env, model: Model, count: number): Promise<Record<string, unknown>[]> {
  const sources = (await env.model(model.name as never).search([], { limit: MANY })) as number[]
  const kept = [...model.fields.values()].filter(
    (field) => field.required && !field.copy && !field.system && field.compute === null && !hasDefault(field),
  )
  const copies = await copiedValues(env, model, sources)
  const rows = await read(
    env,
    model,
    sources,
    kept.map(({ name }) => name),
  )
  const constrained = [...model.constraints.values()].flatMap((each) => ('unique' in each ? each.unique : []))
  const isUnique = (name: string) => model.fields.get(name)!.unique || constrained.includes(name)
  return Array.from({ length: copies.length === 0 ? 0 : count }, (_, i) => {
    const values = { ...rows[i % rows.length], ...copies[i % copies.length], ...BEGINNINGS[model.name] }
    delete values['id']
    for (const [name, value] of Object.entries(values))
      if (typeof value === 'string' && isUnique(name)) values[name] = `${value.slice(0, 20)}${++serial}`
    return values
  })
}

/** Each field with the value that another record has. */
async function edits(env: Env, model: Model): Promise<readonly Record<string, unknown>[]> {
  const fields = [...model.fields.values()].filter(
    ({ system, compute, relation }) => !system && compute === null && relation?.kind !== 'one2many',
  )
  const ids = (await env.model(model.name as never).search([], { limit: MANY })) as number[]
  const rows = await read(
    env,
    model,
    ids,
    fields.map(({ name }) => name),
  )
  return fields.flatMap(({ name }) => {
    const other = rows.find((row) => row[name] !== null)
    return other ? [{ [name]: other[name] }] : []
  })
}

interface Growth {
  readonly work: string
  readonly few: number
  readonly many: number
}

/** Everything that is done to records of the model, each once with a few of them and once with many. */
async function measure(env: Env, model: Model): Promise<readonly Growth[]> {
  const measured: Growth[] = []
  const compare = async (work: string, run: (count: number) => Promise<unknown>) => {
    const [few, many] = [await statementsOf(env, () => run(FEW)), await statementsOf(env, () => run(MANY))]
    if (few !== null && many !== null) measured.push({ work, few, many })
  }
  const values = await newValues(env, model, MANY)
  await compare('create', (count) => create(env, model, values.slice(0, count)))
  await undoable(env, async () => {
    const ids = await create(env, model, values)
    await compare('read', (count) => read(env, model, ids.slice(0, count)))
    for (const edit of await edits(env, model))
      await compare(`write ${Object.keys(edit)[0]}`, (count) => write(env, model, ids.slice(0, count), edit))
    for (const action of model.actions.keys())
      await compare(action, (count) => callAction(env, model, ids.slice(0, count), action, {}))
    await compare('unlink', (count) => unlink(env, model, ids.slice(0, count)))
  }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
  })
  return measured
}

const known = new Map<string, Promise<readonly Growth[]>>()

/** What is done to records of the model, measured once. */
function growthOf(name: string): Promise<readonly Growth[]> {
  const measured = known.get(name) ?? people.as('boss', (env) => measure(env, modelOf(env, name)))
  known.set(name, measured)
  return measured
}

/** Each number sequence has a counter of PostgreSQL of its own, and each view is checked with the views it extends. */
const ONE_BY_ONE = ['sys.sequence', 'sys.view']

const shipped = bundledAddons
  .flatMap((addon) => addon.models.map(({ name }) => name))
  .filter((name) => !ONE_BY_ONE.includes(name))

describe.each([...new Set(shipped)])('%s', (name) => {
  test('takes as many statements for many records as for a few', async () => {
    expect((await growthOf(name)).filter(({ few, many }) => many > few + MORE)).toEqual([])
  })
})

test('most of what can be done to records of the applications is measured', async () => {
  const works = [...(await growthOf('sale.order')), ...(await growthOf('crm.lead'))].map(({ work }) => work)
  for (const work of ['create', 'read', 'write stage_id', 'write partner_id', 'unlink']) expect(works).toContain(work)
  for (const action of [
    'action_update_prices',
    'action_duplicate',
    'action_confirm',
    'action_convert',
    'action_restore',
  ])
    expect(works).toContain(action)
})
