import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { read } from '../../kernel/orm/record/read.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { KeptParts } from '../../kernel/orm/statement/kept-parts.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { People } from '../support/people.ts'
import { pick, randomOf } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'
import { drawQuery, LOGINS, MODELS, namesIn, openReaders, told } from './drawn-queries.ts'

let people: People
beforeAll(async () => {
  people = await openReaders()
})
afterAll(() => people.leave())

/** The same env of a caller whom the service knows. */
const known = (env: Env): Env => ({ ...env, parts: new KeptParts(env.user, env) })

const QUERIES = repeats(150, 5_000)

describe('what is kept for a caller', () => {
  test(`gives the same answers as newly built parts, byte by byte, in ${QUERIES} random queries`, async () => {
    const random = randomOf(20_261_118)
    const answers = { found: 0, refused: 0, kept: 0 }
    for (let drawn = 0; drawn < QUERIES; drawn += 10) {
      const login = pick(random, LOGINS)
      await people.as(login, async (own) => {
        const env = random() < 0.5 ? own : own.inLanguage(pick(random, ['de', 'fr', 'en']))
        const again = known(env)
        for (let i = 0; i < 10; i++) {
          const model = pick(random, MODELS)
          const query = drawQuery(random, env, model)
          const fresh = await told(search(env, modelOf(env, model), query))
          const kept = [0, 1].map(() => told(search(again, modelOf(env, model), query)))
          for (const answer of kept)
            expect({ login, model, query, answer: await answer }).toMatchObject({ answer: fresh })
          if (fresh.startsWith('{')) answers.found++
          else answers.refused++
        }
        answers.kept += again.parts!.size
      })
    }
    expect(answers.found).toBeGreaterThan(QUERIES / 4)
    expect(answers.kept).toBeGreaterThan(QUERIES / 4)
  })

  test('gives the same records by id, and the same refusals', async () => {
    const random = randomOf(7)
    const all = await people.asSystem((env) => env.model('library.shelf').search([]))
    await people.as('lib', async (env) => {
      const again = known(env)
      const model = modelOf(env, 'library.shelf')
      for (const id of [...all, ...all, 999_999]) {
        const names = namesIn(random, env, 'library.shelf')
        const fresh = await told(read(env, model, [id], names))
        for (let i = 0; i < 2; i++) expect(await told(read(again, model, [id], names))).toBe(fresh)
      }
    })
  })

  const ask = (env: Env, fields: readonly string[] = ['name'], model = 'library.shelf') =>
    search(env, modelOf(env, model), { domain: [], fields, archived: 'include' }).then(({ records }) =>
      records.map(({ id }) => id),
    )

  test('is not used for another user, under sudo, or with other rights', async () => {
    const mine = await people.as('lib', (env) => ask(env))
    await people.as('reader', async (env) => {
      const again = known(env)
      const seen = await ask(again)
      const { size } = again.parts!
      expect(size).toBeGreaterThan(0)
      const lib = await people.as('lib', async ({ user }) => user)
      expect(await ask({ ...again.as(lib), parts: again.parts })).toEqual(mine)
      expect(mine).not.toEqual(seen)
      const all = await ask({ ...env.sudo('a test'), parts: again.parts })
      expect(all.length).toBeGreaterThan(seen.length)
      const unruled = { ...again, access: { ...again.access, rules: new Map() } }
      expect(await ask(unruled)).toEqual(all)
      expect(again.parts!.size).toBe(size)
    })
  })

  test('has no part that depends on the time', async () => {
    await people.asSystem(async (env) => {
      await sql`update sys_rule set domain = '[["create_date", ">=", "-1d"]]' where name = 'Shelves without a keeper'`.execute(
        env.tx,
      )
      await sql`update sys_epoch set access = access + 1`.execute(env.tx)
    })
    await people.as('reader', async (env) => {
      const again = known(env)
      expect((await ask(again)).length).toBeGreaterThan(0)
      expect(again.parts!.size).toBe(0)
      expect(await ask({ ...again, now: new Date(env.now.getTime() + 3 * 86_400_000) })).toEqual([])
    })
  })

  test('is sixty-four parts at most', async () => {
    await people.as('admin', async (env) => {
      const again = known(env)
      const names = ['name', 'email', 'city', 'zip', 'phone', 'street', 'website', 'ref', 'vat']
      const pairs = names.flatMap((one) => names.map((other) => [one, other]))
      for (const pair of pairs) await ask(again, pair, 'core.partner')
      expect(pairs.length).toBeGreaterThan(64)
      expect(again.parts!.size).toBeLessThanOrEqual(64)
      expect(again.parts!.size).toBeGreaterThan(0)
    })
  })

  test('is not one that alone is larger than all together may be', async () => {
    await people.as('admin', async (env) => {
      const { parts } = known(env)
      const part = (length: number) => () => ({ print: () => 'x'.repeat(length) })
      for (const [length, size] of [
        [70_000, 0],
        [40_000, 1],
        [30_000, 1],
        [30_000, 2],
      ] as const) {
        parts!.take(env, `${length} ${size}`, part(length))
        expect(parts!.size).toBe(size)
      }
    })
  })
})
