import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../kernel/access/tables.ts'
import { explainAccess } from '../../kernel/admin/explain-access.ts'
import type { Env } from '../../kernel/env.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { searchIds } from '../../kernel/orm/record/search.ts'
import { unlink } from '../../kernel/orm/record/unlink.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { translatePgError } from '../../kernel/sql/pg-error.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openPeople, type People } from '../support/people.ts'

/** Every explanation is compared with what happens when the user tries: an explanation is never wrong. */

let people: People
beforeAll(async () => {
  people = await openPeople(['crm', 'project'])
  await people.hire('boss', ['base.group_system'])
})
afterAll(() => people.leave())

const LOGINS = ['boss', 'demo@example.com', 'mia@example.com', 'tomas@example.com', 'noah@example.com']

/** Undoes whatever was tried. */
class Undo extends Error {}

/** Whether the call succeeds; it may be refused by rights, the behaviour of the model or the database. */
async function isAllowed(login: string, tryIt: (env: Env) => Promise<boolean>): Promise<boolean> {
  let allowed = true
  await people
    .as(login, async (env) => {
      try {
        allowed = await tryIt(env)
      } catch (error) {
        if (!(translatePgError(error) instanceof AppError)) throw error
        allowed = false
      }
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return allowed
}

const TRIES: Readonly<Record<'read' | 'write', (env: Env, model: Model, id: number) => Promise<boolean>>> = {
  read: async (env, model, id) =>
    (await searchIds(env, model, { domain: [['id', '=', id]], archived: 'include' })).length === 1,
  write: (env, model, id) => write(env, model, [id], {}),
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
  const wrong: string[] = []
  let compared = 0
  let refused = 0
  for (const model of registry.models.values()) {
    if (model.rpc !== 'all') continue
    for (const id of await samples(model)) {
      for (const login of LOGINS) {
        const user = await people.as(login, async (env) => env.user)
        const said = await people.as('boss', async (env) => {
          const ask = async (operation: Operation) =>
            (await explainAccess(env, { user, model: model.name, id, operation })).allowed
          return { read: await ask('read'), write: await ask('write'), unlink: await ask('unlink') }
        })
        const happens = {
          read: await isAllowed(login, (env) => TRIES.read(env, model, id)),
          write: await isAllowed(login, (env) => TRIES.write(env, model, id)),
          unlink: await isAllowed(login, (env) => unlink(env, model, [id])),
        }
        compared += 3
        refused += Object.values(said).filter((allowed) => !allowed).length
        for (const right of ['read', 'write', 'unlink'] as const)
          if (said[right] !== happens[right]) wrong.push(`${login} ${right} ${model.name} ${id}: said ${said[right]}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(1_000)
  expect(refused).toBeGreaterThan(200)
})
