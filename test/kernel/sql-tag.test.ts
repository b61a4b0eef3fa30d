import { CompiledQuery, sql as kyselySql, ValueNode } from 'kysely'
import { describe, expect, test } from 'vitest'
import { identifier } from '../../kernel/sql/ddl.ts'
import { sql } from '../../kernel/sql/sql.ts'

describe('the sql tag', () => {
  test('binds values and inlines other SQL', () => {
    const condition = sql`${sql.ref('t.name')} = ${'a'}`
    expect(sql`select ${1} where ${condition} and ${sql.val([2, 3])}`.compile()).toEqual({
      text: 'select $1 where "t"."name" = $2 and $3',
      values: [1, 'a', [2, 3]],
    })
  })

  test.each([
    ['null', null],
    ['a list', [1, 2]],
    ['a moment', new Date(0)],
    ['bytes', new Uint8Array([1])],
    ['JSON', { a: 1 }],
    ['an object without a prototype', Object.create(null)],
  ])('binds %s', (_, value) => {
    expect(sql`select ${value}`.compile().values).toEqual([value])
  })

  test.each([
    ['a fragment of Kysely', kyselySql`now()`],
    ['a reference of Kysely', kyselySql.ref('t.id')],
    ['DDL text', identifier('t')],
    ['a list of fragments', [kyselySql`now()`]],
    ['a list of Sql', [sql`now()`]],
    ['a compiled query of Kysely', CompiledQuery.raw('select 1')],
    ['a node of Kysely', ValueNode.create(1)],
    ['a function', () => 1],
    ['a collection', new Map()],
  ])('refuses %s, which would be bound as something else', (_, foreign) => {
    expect(() => sql`select ${foreign}`.compile()).toThrow('A hole of the sql tag takes Sql or a value')
  })
})
