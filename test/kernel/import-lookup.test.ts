import { expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import type { Column } from '../../kernel/exchange/import/column/column.ts'
import { lookUp } from '../../kernel/exchange/import/record/lookup.ts'
import { expectTurnsBelow } from '../support/cpu-time.ts'

const target = { name: 'x.node', displayFields: ['name'], fields: new Map() }
const column = {
  field: { name: 'parent_id', relation: { target: 'x.node', kind: 'many2one' } },
  ...{ line: null, form: '.id', policy: 'match', settled: new Map() },
} as unknown as Column
/** A key that may not read the records, so none is found and the database is not asked. */
const env = {
  registry: { model: () => target },
  user: { id: 2, scope: { models: {} } },
  services: { sleep: () => new Promise<void>((resolve) => void setImmediate(resolve)) },
} as unknown as Env

test.each([true, false])('very many unknown names block no request, also if rows have them: %s', async (isOwn) => {
  const texts = Array.from({ length: 49_000 }, (_, n) => `Nobody ${n}`)
  let found: Awaited<ReturnType<typeof lookUp>> = new Map()
  await expectTurnsBelow(150, async () => {
    found = await lookUp(env, column, { texts, isToCome: () => false, isOwn: () => isOwn }, new Map())
  })
  expect(found.size).toBe(texts.length)
  expect(found.get('Nobody 7')).toMatchObject({ values: { text: 'Nobody 7' }, ids: [] })
})
