import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayUseModel } from '../../kernel/access/acl.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { read, readJson } from '../../kernel/orm/record/read.ts'
import { search, searchJson } from '../../kernel/orm/record/search.ts'
import { listOfRows, WrittenJson } from '../../kernel/sql/json-rows.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['library', 'sale', 'crm', 'project'])
  await people.hire('reader', ['library.group_user', 'sale.group_user', 'crm.group_user', 'project.group_user'])
})
afterAll(() => people.leave())

/** Records as a caller gets them. */
const sent = (records: unknown): unknown =>
  JSON.parse(records instanceof WrittenJson ? new TextDecoder().decode(records.bytes) : JSON.stringify(records))

/** Those that a statement alone gives. */
const storedFields = ({ fields }: Model): string[] =>
  [...fields.values()].filter(({ compute }) => compute === null || compute.stored).map(({ name }) => name)

describe.each(['admin', 'reader'])('for %s', (login) => {
  test('records written as JSON are the records, in every model', async () => {
    const written = await people.as(login, async (env) => {
      const seen: string[] = []
      for (const model of env.registry.models.values())
        for (const fields of [undefined, storedFields(model).slice(0, 200)]) {
          if (!mayUseModel(env, model.name, 'read')) continue
          const query = { domain: [], fields, limit: 40 }
          const values = await search(env, model, query)
          const json = await searchJson(env, model, query)
          expect(sent(json.records), model.name).toEqual(sent(values.records))
          expect(await json.nextCursor(), model.name).toBe(await values.nextCursor())
          const ids = values.records.map(({ id }) => id as number).toReversed()
          expect(sent(await readJson(env, model, ids, fields)), model.name).toEqual(
            sent(await read(env, model, ids, fields)),
          )
          if (values.records.length > 0 && json.records instanceof WrittenJson) seen.push(model.name)
        }
      return seen
    })
    const expected = ['core.partner', 'sale.order', 'crm.lead', 'project.task']
    expect(written).toEqual(expect.arrayContaining(expected))
  })
})

test('a field that is computed after the statement is there all the same', async () => {
  const records = await people.as('reader', async (env) => {
    const model = env.registry.model('library.book')!
    return (await searchJson(env, model, { domain: [['title', '=', 'Solaris']], fields: ['title', 'is_long'] })).records
  })
  expect(sent(records)).toEqual([{ id: expect.any(Number), title: 'Solaris', is_long: expect.any(Boolean) }])
})

test('rows that repeat, as of repeated ids, are refused before their list takes memory', () => {
  const bytes = new Uint8Array(LIMITS.answerBytes)
  const rows = { bytes, ends: [bytes.length], rest: [{}] }
  // More than a typed array can be.
  expect(() => listOfRows(rows, Array(1_000).fill(0))).toThrow(/larger than 16 MB/)
})
