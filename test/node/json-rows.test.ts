import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { JsonMember, ValueForm } from '../../kernel/sql/json-rows.ts'
import { jsonList, listOfRows } from '../../kernel/sql/json-rows.ts'
import { type Sql, sql } from '../../kernel/sql/sql.ts'
import { passRowsOn, readRows } from '../../runtime/postgres/data-rows.ts'
import { useOwnDatabase } from '../support/own-database.ts'
import { repeats } from '../support/soak.ts'

const { open } = useOwnDatabase('json-rows-test')

const parse = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))

async function json(statement: Sql, members: readonly JsonMember[], maxBytes?: number) {
  const rows = await statement.executeJson(open().db, members, { maxBytes })
  return { ...rows, list: parse(jsonList([rows]).bytes) }
}

const value = (form: ValueForm = 'value'): readonly JsonMember[] => [{ name: 'value', form }]

describe('rows as JSON', () => {
  const cases = [
    '1::int2',
    '-7::int4',
    '9007199254740991::int8',
    '12.50::numeric(10, 2)',
    '-0.000001::numeric',
    '0.000::numeric(10, 3)',
    '100::numeric',
    "'NaN'::numeric",
    "'-Infinity'::numeric",
    '0.1::float8',
    "'NaN'::float8",
    '1e300::float8',
    'true',
    'false',
    "'2024-02-29'::date",
    "'infinity'::date",
    "'2024-02-29T12:30:00+02'::timestamptz",
    "'2024-02-29T12:30:00.1Z'::timestamptz",
    "'2024-02-29T12:30:00.123987Z'::timestamptz",
    "'0044-03-15 12:00:00 BC'::timestamptz",
    "'12024-02-29T12:30:00Z'::timestamptz",
    "'infinity'::timestamptz",
    "'2024-02-29 12:30:00.5'::timestamp",
    "'1 day 02:00'::interval",
    "'{}'::int[]",
    "'{1,NULL,-3}'::int[]",
    "array['a,b', 'c\"d', null]",
    '\'{"a": [1, null, "ü"]}\'::jsonb',
    "'null'::jsonb",
    "''::text",
    "E'tab \\t, quote \", backslash \\\\, bell \\b, line \\n, one \\x01'::text",
    'null::numeric',
  ]

  test.each(cases)('have the value that %s is read as', async (expression) => {
    for (const name of ['parsed', 'prepared', 'planned']) {
      const statement = sql`select ${sql.raw(expression)} as value, ${name}::text as name`
      const { rows } = await statement.execute(open().db)
      const { list, rest } = await json(statement, value())
      expect(list).toEqual([{ value: JSON.parse(JSON.stringify((rows as { value: unknown }[])[0]!.value ?? null)) }])
      expect(rest).toEqual([{ name }])
    }
  })

  test('keep every text', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 }).filter((drawn) => !drawn.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 30 }), fc.string(), async (texts, name) => {
        const { list } = await json(sql`select t from unnest(${texts}::text[]) with ordinality as u(t, n) order by n`, [
          { name, form: 'value' },
        ])
        expect(list).toEqual(texts.map((t) => ({ [name]: t })))
      }),
      { numRuns: repeats(40, 2_000) },
    )
  })

  test('have each form unset and set', async () => {
    const members: readonly JsonMember[] = [
      { name: 'id', form: 'value' },
      { name: 'flag', form: 'flag' },
      { name: 'list', form: 'list' },
      { name: 'pair', form: 'pair' },
      { name: 'nameless', form: 'pair' },
    ]
    const { list, rest } = await json(
      sql`select * from (values
        (1, true, '{4,5}'::int[], 7, 'Seven', 8, null::text, 'a'),
        (2, null, null, null, 'never shown', null, null, 'b')) as t where ${1}::int = 1`,
      members,
    )
    expect(list).toEqual([
      { id: 1, flag: true, list: [4, 5], pair: [7, 'Seven'], nameless: [8, null] },
      { id: 2, flag: false, list: [], pair: null, nameless: null },
    ])
    expect(rest.map((row) => Object.values(row as object))).toEqual([['a'], ['b']])
  })

  test('of no rows are an empty list', async () => {
    expect((await json(sql`select 1 as value where false`, value())).list).toEqual([])
  })

  test('are chosen by number, each as often as it is asked for', async () => {
    const rows = await sql`select n from generate_series(0, 3) as n`.executeJson(open().db, value())
    const chosen = (order: readonly number[]) => parse(listOfRows(rows, order).bytes)
    expect(chosen([0, 1, 2, 3])).toEqual([{ value: 0 }, { value: 1 }, { value: 2 }, { value: 3 }])
    expect(chosen([3, 0, 0])).toEqual([{ value: 3 }, { value: 0 }, { value: 0 }])
    expect(chosen([])).toEqual([])
  })

  test('are refused once they are larger than allowed, and the connection goes on', async () => {
    const large = json(sql`select repeat('x', 1000) from generate_series(1, 1000000)`, value(), 100_000)
    await expect(large).rejects.toMatchObject({ code: 'BAD_REQUEST', details: { reason: 'limit_exceeded' } })
    expect((await json(sql`select 1`, value(), 100_000)).list).toEqual([{ value: 1 }])
  })

  test('of a statement that fails are its error', async () => {
    await expect(json(sql`select 1 / (n - 3) from generate_series(1, 9) as n`, value())).rejects.toMatchObject({
      code: '22012',
    })
    expect((await json(sql`select 1`, value())).list).toEqual([{ value: 1 }])
  })
})

/** A message as PostgreSQL sends it. */
function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(letter, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

test('rows and other messages arrive in the order of the server, wherever the network cuts them', () => {
  const drawn = fc.record({
    messages: fc.array(fc.record({ isRow: fc.boolean(), body: fc.uint8Array({ minLength: 2, maxLength: 40 }) })),
    cuts: fc.array(fc.nat(2_000)),
    hasReader: fc.boolean(),
  })
  fc.assert(
    fc.property(drawn, ({ messages, cuts, hasReader }) => {
      const seen: string[] = []
      const note = (isRow: boolean, body: Buffer) => seen.push(`${isRow} ${body.toString('hex')}`)
      const connection = {
        attachListeners: (stream: EventEmitter) =>
          stream.on('data', (bytes: Buffer) => {
            for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
              const end = at + 1 + bytes.readUInt32BE(at + 1)
              note(bytes[at] === 'D'.charCodeAt(0), bytes.subarray(at + 5, end))
            }
          }),
      }
      const wire = connection as unknown as pg.Connection
      passRowsOn(wire)
      if (hasReader)
        readRows(wire, {
          handleRow: (bytes, at) => note(true, bytes.subarray(at - 2, at - 6 + bytes.readUInt32BE(at - 6))),
        })
      const network = new EventEmitter()
      connection.attachListeners(network)
      const sent = Buffer.concat(messages.map(({ isRow, body }) => message(isRow ? 'D' : 'C', Buffer.from(body))))
      const places = [0, ...cuts.map((cut) => Math.min(cut, sent.length)).toSorted((a, b) => a - b), sent.length]
      for (let i = 1; i < places.length; i++) {
        const chunk = sent.subarray(places[i - 1], places[i])
        if (chunk.length > 0) network.emit('data', Buffer.from(chunk))
      }
      expect(seen).toEqual(messages.map(({ isRow, body }) => `${isRow} ${Buffer.from(body).toString('hex')}`))
    }),
    { numRuns: repeats(500, 50_000) },
  )
})
