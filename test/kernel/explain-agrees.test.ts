import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainAccess } from '../../kernel/admin/explain-access.ts'
import type { Env } from '../../kernel/env.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { searchIds } from '../../kernel/orm/record/search.ts'
import { unlink } from '../../kernel/orm/record/unlink.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { translatePgError } from '../../kernel/sql/pg-error.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { undone } from '../../kernel/work/undoable.ts'
import { openPeople, type People } from '../support/people.ts'

/** Every explanation is compared with what happens when the user tries: an explanation is never wrong. */

let people: People
beforeAll(async () => {
  people = await openPeople(['crm', 'project'])
  await people.hire('boss', ['base.group_system'])
})
afterAll(() => people.leave())

const LOGINS = ['boss', 'demo@example.com', 'mia@example.com', 'tomas@example.com', 'noah@example.com']

/** Whether the call succeeds; it may be refused by rights, the behaviour of the model or the database. What it does is undone. */
async function isAllowed(env: Env, tryIt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await undone(env, tryIt)
  } catch (error) {
    if (!(translatePgError(error) instanceof AppError)) throw error
    return false
  }
}

type Right = 'read' | 'write' | 'unlink'
const RIGHTS: readonly Right[] = ['read', 'write', 'unlink']

const TRIES: Readonly<Record<Right, (env: Env, model: Model, id: number) => Promise<boolean>>> = {
  read: async (env, model, id) =>
    (await searchIds(env, model, { domain: [['id', '=', id]], archived: 'include' })).length === 1,
  write: (env, model, id) => write(env, model, [id], {}),
  unlink: (env, model, id) => unlink(env, model, [id]),
}

async function samples(model: Model): Promise<readonly number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array(select id from ${sql.table(model.table)} order by md5(id::text) limit 2) as ids`.execute(
    people.database.db,
  )
  return rows[0]?.ids ?? []
}

test('an explanation agrees with the result of the call, for every user, model and right and some records of each', async () => {
  const { registry } = await people.modules.holder.latest()
  const cases: { readonly model: Model; readonly id: number; readonly right: Right }[] = []
  for (const model of registry.models.values()) {
    if (model.rpc !== 'all') continue
    for (const id of await samples(model)) cases.push(...RIGHTS.map((right) => ({ model, id, right })))
  }
  const wrong: string[] = []
  let refused = 0
  for (const login of LOGINS) {
    const { user, happens } = await people.as(login, async (env) => {
      const happens: boolean[] = []
      for (const { model, id, right } of cases) happens.push(await isAllowed(env, () => TRIES[right](env, model, id)))
      return { user: env.user, happens }
    })
    await people.as('boss', async (env) => {
      for (const [i, { model, id, right }] of cases.entries()) {
        const { allowed } = await explainAccess(env, { user, model: model.name, id, operation: right })
        if (!allowed) refused++
        if (allowed !== happens[i]) wrong.push(`${login} ${right} ${model.name} ${id}: said ${allowed}`)
      }
    })
  }
  expect(wrong).toEqual([])
  expect(cases.length * LOGINS.length).toBeGreaterThan(1_000)
  expect(refused).toBeGreaterThan(200)
})
