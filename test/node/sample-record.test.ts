import { expect, test } from 'vitest'
import { defineModel, field } from '#kernel'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { isDistinct, sampledFields, sampleRecord } from '../../runtime/cli/sample-record.ts'

const lease = defineModel('fleet.lease', {
  label: 'Lease',
  fields: {
    car: field.char({ required: true, default: 'B-MO 42' }),
    date_from: field.date({ required: true, default: 'today' }),
    date_to: field.date(),
  },
  constraints: { one_per_day: { unique: ['car', 'date_from'], message: 'Leased already.' } },
})

test('made-up records differ in the days of which no two may be the same, in spite of a default', () => {
  const { models } = compileRegistry([{ name: 'fleet', models: [lease], behaviors: [] }])
  const model = models.get('fleet.lease')!
  const fields = sampledFields(model)
  const isSpread = fields.some((each) => isDistinct(model, each))
  const made = Array.from({ length: 1_000 }, (_, n) => sampleRecord(fields, n + 1, () => [], isSpread))
  expect(new Set(made.map((record) => record['date_from'])).size).toBe(1_000)
  expect(made.every(({ date_from: from, date_to: to }) => String(from) < String(to))).toBe(true)
})
