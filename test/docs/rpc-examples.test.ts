import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { FIELD_TYPES } from '../../kernel/model/field-types.ts'
import { MEASURES } from '../../kernel/orm/group/measure.ts'
import { METHODS } from '../../kernel/rpc/methods.ts'
import { openPeople, type People } from '../support/people.ts'
import { blocksOf, readPage, sectionOf } from './markdown.ts'

let people: People
const section = sectionOf(readPage('handlers/README.md'), 'read_group')

beforeAll(async () => {
  people = await openPeople(['library'])
})
afterAll(() => people.leave())

test('the example of read_group runs as it stands', async () => {
  const [block] = blocksOf(section)
  const { model, method, args, kwargs } = JSON.parse(block!.text)
  const { run, ...schemas } = METHODS.get(method)!
  const { result } = await people.as('admin', (env) =>
    run(env, env.registry.model(model)!, schemas.args.parse(args), schemas.kwargs.parse(kwargs)),
  )
  expect(result).toContainEqual(expect.objectContaining({ __count: expect.any(Number), cities: expect.any(Number) }))
})

test('every measure there is has a line, and an unknown one is refused with their names', async () => {
  const told = [...section.matchAll(/^\| (`[^|]+`) /gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)])
  expect(told.map(([, name]) => name)).toEqual(MEASURES)
  expect(new Set(Object.values(FIELD_TYPES).flatMap(({ measures }) => measures))).toEqual(new Set(MEASURES))
  const { run, args } = METHODS.get('read_group')!
  const schema = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' })
  expect(JSON.stringify(schema)).toContain(JSON.stringify({ type: 'string', enum: MEASURES }).slice(1, -1))
  const spec = { domain: [], groupby: [], fields: [{ name: 'm', field: 'id', measure: 'median' }] }
  const asked = people.as('admin', (env) =>
    run(env, env.registry.model('core.partner')!, [spec], { offset: 0, limit: 1 }),
  )
  await expect(asked).rejects.toThrow('Unknown measure "median": there are sum, avg, min, max, count, count_distinct.')
})
