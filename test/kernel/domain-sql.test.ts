import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Checked, DomainNode } from '../../kernel/domain/ast.ts'
import { compileDomain } from '../../kernel/domain/compile.ts'
import { parseDomain } from '../../kernel/domain/parse.ts'
import { addDays } from '../../kernel/domain/zone.ts'
import { AppError } from '../../kernel/errors.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { defineModel } from '../../kernel/model/define.ts'
import { field } from '../../kernel/model/field-types.ts'
import { syncSchema } from '../../kernel/schema/sync.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { repeats } from '../support/soak.ts'
import { withoutTimeLimit } from '../support/without-time-limit.ts'

declare module '#kernel' {
  interface Models {
    'sql.item': Record<never, never>
    'sql.tag': Record<never, never>
  }
}

const registry = compileRegistry([
  {
    name: 'sql',
    behaviors: [],
    models: [
      defineModel('sql.item', {
        label: 'Item',
        fields: {
          name: field.char({ index: true }),
          qty: field.integer({ index: true }),
          at: field.datetime({ index: true }),
          parent_id: field.many2one('sql.item'),
          tag_ids: field.many2many('sql.tag'),
        },
      }),
      defineModel('sql.tag', { label: 'Tag', fields: { name: field.char() } }),
    ],
  },
])
const item = registry.model('sql.item')!

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
  await syncSchema(database.db, registry)
  await withoutTimeLimit(
    database.db,
    sql`insert into sql_item (name, qty, at, parent_id)
      select 'Item ' || md5(n::text), n % 1000, timestamptz '2024-01-01Z' + n * interval '1 hour', nullif(n / 10, 0)
      from generate_series(1, 20000) n`,
  )
  await sql`analyze`.execute(database.db)
})
afterAll(() => database.drop())

function conditionOf(domain: unknown) {
  const node = parseDomain(domain, item, { registry, now: new Date(0), tz: 'Europe/Berlin' }) as Checked<DomainNode>
  return compileDomain(node, { registry, alias: 't', tz: 'Europe/Berlin', rule: () => null })
}

const queryOf = (domain: unknown) => sql`select t.id from sql_item as t where ${conditionOf(domain)}`
const textOf = (domain: unknown) => queryOf(domain).compile().text

describe('the text of a statement', () => {
  test('depends on the shape of the domain, not on its values', () => {
    const shapes = [
      (n: number) => [['id', 'in', Array.from({ length: n }, (_, i) => i)]],
      (n: number) => [['name', 'ilike', 'x%'.repeat(n)]],
      (n: number) => [['tag_ids', 'not in', Array.from({ length: n }, (_, i) => i)]],
      (n: number) => [['id', 'child_of', Array.from({ length: n }, (_, i) => i)]],
      (n: number) => [['at', '=', `2024-01-0${n}`]],
      (n: number) => [['at', 'in', Array.from({ length: n + 1 }, (_, i) => addDays('2024-01-01', i * 2))]],
    ]
    for (const shape of shapes) expect(textOf(shape(1))).toBe(textOf(shape(9)))
  })

  test('contains no text of a caller, and names that are not in the registry are refused', () => {
    const payload = fc.oneof(
      fc.string({ unit: 'binary', minLength: 3 }),
      fc.constantFrom(
        '"; drop table sql_item; --',
        "' or 1=1 --",
        'id" = 1 or "',
        '$1',
        't.id',
        '%"%',
        'svc_fold(name)',
      ),
    )
    const marked = payload.map((text) => `⁂${text}`)
    const condition = fc.oneof(
      fc.tuple(fc.constantFrom('name', 'parent_id', 'tag_ids', 'parent_id.name'), operator(), marked),
      fc.tuple(marked, operator(), marked),
      fc.tuple(fc.constant('name'), marked, marked),
      fc.tuple(fc.constantFrom('name', 'tag_ids'), fc.constantFrom('in', 'not in'), fc.array(marked)),
    )
    const property = fc.property(fc.array(fc.oneof(condition, marked, fc.constantFrom('&', '|', '!'))), (domain) => {
      try {
        expect(textOf(domain)).not.toContain('⁂')
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
        expect((error as AppError).code).toBe('BAD_REQUEST')
      }
    })
    fc.assert(property, { numRuns: repeats(5_000, 100_000) })
  })
})

const operator = () => fc.constantFrom('=', '!=', '<', 'like', 'not ilike', '=like', '=ilike', 'child_of', 'any')

describe('an index can serve', () => {
  /** With table scans made very costly for the planner, one remains in the plan only where no index fits. */
  const planOf = (domain: unknown): Promise<string> =>
    database.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await sql<Record<'QUERY PLAN', string>>`explain ${queryOf(domain)}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })

  test.each<[string, unknown]>([
    ['equality of text', [['name', '=', 'Item x']]],
    ['a number beyond the column', [['qty', '=', 9_000_000_000]]],
    ['a list', [['qty', 'in', [1, 2, 3]]]],
    ['alternatives', ['|', ['qty', '=', 1], ['qty', '=', 2]]],
    ['a day of a datetime', [['at', '=', '2024-02-02']]],
    ['a folded contains-search', [['name', 'ilike', 'ITEM ABCDEF']]],
    ['a path', [['parent_id.name', '=', 'Item x']]],
    ['a tree', [['id', 'child_of', 7]]],
    ['a link', [['tag_ids', 'in', [1]]]],
  ])('%s', async (_, domain) => {
    expect(await planOf(domain)).not.toContain('Seq Scan on sql_item ')
  })
})

test('the largest domains and patterns allowed are answered before the statement timeout', async () => {
  const limit = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(database.db)
  expect(limit.rows).toEqual([{ limit: '15s' }])
  const worst = [
    [['name', 'ilike', '%'.repeat(LIMITS.likeOperandChars)]],
    [['name', '=ilike', '%a'.repeat(LIMITS.likeOperandChars / 2)]],
    [['name', '=like', '_%'.repeat(LIMITS.likeOperandChars / 2)]],
    [...Array(99).fill('|'), ...Array(100).fill(['name', 'like', 'zz'])],
    [['tag_ids', 'not in', Array.from({ length: 1_000 }, (_, i) => i)]],
    [['at', 'in', Array.from({ length: 1_000 }, (_, i) => addDays('2024-01-01', i * 2))]],
    [['parent_id.parent_id.parent_id.parent_id.parent_id.parent_id.name', 'ilike', 'x']],
  ]
  for (const domain of worst) await queryOf(domain).execute(database.db)
})
