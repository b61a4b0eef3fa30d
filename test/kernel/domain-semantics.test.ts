import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DomainNode } from '../../kernel/domain/ast.ts'
import { fold } from '../../kernel/domain/fold.ts'
import { parseDomain } from '../../kernel/domain/parse.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { defineModel } from '../../kernel/model/define.ts'
import { field } from '../../kernel/model/field-types.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { askMemory, askSql, openBrowser, type Rows, storeRows, type World } from './domain-engines.ts'

declare module '#kernel' {
  interface Models {
    'trial.firm': Record<never, never>
    'trial.deal': Record<never, never>
    'trial.tag': Record<never, never>
  }
}

const registry = compileRegistry([
  {
    name: 'trial',
    behaviors: [],
    models: [
      defineModel('trial.firm', {
        label: 'Firm',
        fields: {
          name: field.char(),
          note: field.text(),
          size: field.integer(),
          worth: field.float(),
          active: field.boolean(),
          founded: field.date(),
          seen_at: field.datetime(),
          state: field.selection({ new: 'New', old: 'Old' }),
          extra: field.json(),
          parent_id: field.many2one('trial.firm'),
          boss_id: field.many2one('trial.firm'),
          child_ids: field.one2many('trial.firm', 'parent_id'),
          deal_ids: field.one2many('trial.deal', 'firm_id'),
        },
      }),
      defineModel('trial.deal', {
        label: 'Deal',
        displayName: ['name', 'code'],
        fields: {
          name: field.char(),
          code: field.char(),
          price: field.monetary(),
          firm_id: field.many2one('trial.firm'),
          tag_ids: field.many2many('trial.tag'),
          firm_name: field.char({ related: 'firm_id.name' }),
          firm_active: field.boolean({ related: 'firm_id.active' }),
          firm_parent_id: field.many2one('trial.firm', { related: 'firm_id.parent_id' }),
          firm_deal_ids: field.many2many('trial.deal', { related: 'firm_id.deal_ids' }),
        },
      }),
      defineModel('trial.tag', { label: 'Tag', fields: { color: field.integer() } }),
    ],
  },
])

const rows: Rows = {
  'trial.firm': [
    { id: 1, name: 'Müller & Söhne', size: 10, worth: 0.1, active: true, founded: '1999-12-31', state: 'new' },
    { id: 2, name: 'STRASSE', size: -3, active: false, parent_id: 1, seen_at: '2024-03-31T00:30:00.000Z', boss_id: 3 },
    { id: 3, name: '100%_\\', size: 0, active: true, parent_id: 2, seen_at: '2024-03-31T22:00:00.000Z', boss_id: 4 },
    { id: 4, note: 'ﬁne 😀', active: false, seen_at: '2024-10-27T00:30:00.000Z', extra: { a: 1 } },
    { id: 5, name: '\u{1F600}', note: '\uE000', active: true, parent_id: 3, founded: '2024-02-29', state: 'old' },
  ],
  'trial.deal': [
    { id: 1, name: 'Big', code: 'X', price: 12.5, firm_id: 1, tag_ids: [1, 2] },
    { id: 2, name: 'Small', price: 1, firm_id: 1, tag_ids: [2] },
    { id: 3, code: 'Y', firm_id: 4, tag_ids: [] },
    { id: 4, price: 12.5, tag_ids: [3] },
  ],
  'trial.tag': [{ id: 1, color: 1 }, { id: 2, color: 2 }, { id: 3 }],
}

let database: TestDatabase
let askBrowser: typeof askMemory

beforeAll(async () => {
  database = await createDatabase()
  await storeRows(database.db, { registry, rows })
  askBrowser = await openBrowser()
})
afterAll(() => database.drop())

type Domain = readonly unknown[]

/** One answer from all engines, after checking that they agree and that the complement is exact. */
async function ask(model: string, domain: Domain, options: Options = {}): Promise<readonly number[]> {
  const context = { registry, now: new Date(options.now ?? '2024-03-31T10:00:00Z'), tz: options.tz ?? 'UTC' }
  const rules = options.rules ?? {}
  const rule = (name: string): DomainNode | null =>
    rules[name] === undefined ? null : parseDomain(rules[name], registry.model(name)!, context)
  const world: World = { registry, rows, context, rule }
  const [answer] = await askSql(database.db, world, [{ model, domain }])
  expect(askMemory(world, { model, domain })).toEqual(answer!.ids)
  expect(askBrowser(world, { model, domain })).toEqual(answer!.ids)
  const all = rows[model]!.map((row) => row['id'] as number)
  expect(answer!.others).toEqual(all.filter((id) => !answer!.ids.includes(id)))
  return answer!.ids
}

interface Options {
  readonly tz?: string
  readonly now?: string
  readonly rules?: Readonly<Record<string, Domain>>
}

const firms = (domain: Domain, options?: Options) => ask('trial.firm', domain, options)
const deals = (domain: Domain, options?: Options) => ask('trial.deal', domain, options)
const tags = (domain: Domain, options?: Options) => ask('trial.tag', domain, options)

describe('shape', () => {
  test('an empty domain matches every record', async () => {
    expect(await firms([])).toEqual([1, 2, 3, 4, 5])
  })

  test('conditions without an operator are AND-ed, also after prefix operators', async () => {
    expect(
      await firms([
        ['active', '=', true],
        ['size', '>=', 0],
      ]),
    ).toEqual([1, 3])
    expect(await firms(['|', ['size', '=', 10], ['size', '=', 0], ['id', '>', 1]])).toEqual([3])
  })

  test('prefix operators take one and two operands', async () => {
    expect(await firms(['!', '|', ['size', '=', 10], '&', ['active', '=', false], ['id', '<', 3]])).toEqual([3, 4, 5])
  })
})

describe('two-valued logic', () => {
  test('null is a value: the negative operators match it', async () => {
    expect(await firms([['name', '!=', 'STRASSE']])).toEqual([1, 3, 4, 5])
    expect(await firms([['size', 'not in', [10, 0]]])).toEqual([2, 4, 5])
    expect(await firms([['name', 'not like', 'S']])).toEqual([3, 4, 5])
    expect(await firms([['name', 'not ilike', 's']])).toEqual([3, 4, 5])
  })

  test('inequalities never match null, their complement does', async () => {
    expect(await firms([['size', '<', 5]])).toEqual([2, 3])
    expect(await firms(['!', ['size', '<', 5]])).toEqual([1, 4, 5])
    expect(await firms([['size', '<', null]])).toEqual([])
    expect(await firms(['!', ['size', '<', null]])).toEqual([1, 2, 3, 4, 5])
  })

  test('= null, = false and an empty text mean unset', async () => {
    for (const unset of [null, false, '']) {
      expect(await firms([['name', '=', unset]])).toEqual([4])
      expect(await firms([['name', '!=', unset]])).toEqual([1, 2, 3, 5])
      expect(await firms([['parent_id', '=', unset]])).toEqual([1, 4])
    }
    expect(await firms([['size', '=', false]])).toEqual([4, 5])
    expect(await firms([['extra', '=', null]])).toEqual([1, 2, 3, 5])
    expect(await firms([['extra', '!=', false]])).toEqual([4])
  })

  test('like with an empty text means set, =like with one means unset', async () => {
    expect(await firms([['name', 'like', '']])).toEqual([1, 2, 3, 5])
    expect(await firms([['name', 'not ilike', '']])).toEqual([4])
    expect(await firms([['name', '=like', '']])).toEqual([4])
    expect(await firms([['parent_id', 'ilike', '']])).toEqual([2, 3, 5])
  })

  test('in [] matches none and not in [] all; null may be listed', async () => {
    expect(await firms([['size', 'in', []]])).toEqual([])
    expect(await firms([['size', 'not in', []]])).toEqual([1, 2, 3, 4, 5])
    expect(await firms([['size', 'in', [10, null]]])).toEqual([1, 4, 5])
    expect(await firms([['size', 'not in', [10, null]]])).toEqual([2, 3])
    expect(await firms([['size', 'in', [null]]])).toEqual([4, 5])
  })

  test('constants keep their meaning inside any and under !', async () => {
    expect(await deals([['firm_id', 'any', [['id', 'not in', []]]]])).toEqual([1, 2, 3])
    expect(await deals([['firm_id', 'any', []]])).toEqual([1, 2, 3])
    expect(await deals([['firm_id', 'not any', []]])).toEqual([4])
    expect(await deals(['!', ['firm_id', 'any', [['id', 'in', []]]]])).toEqual([1, 2, 3, 4])
    expect(await deals([['firm_id', 'any', ['!', ['id', 'in', []]]]])).toEqual([1, 2, 3])
  })

  test('booleans are never null', async () => {
    expect(await firms([['active', '=', false]])).toEqual([2, 4])
    expect(await firms([['active', '!=', true]])).toEqual([2, 4])
    expect(await firms([['active', '=', null]])).toEqual([])
    expect(await firms([['active', '!=', null]])).toEqual([1, 2, 3, 4, 5])
    expect(await firms([['active', 'in', [true, false]]])).toEqual([1, 2, 3, 4, 5])
  })

  test('=? is true when its value is null, else =', async () => {
    expect(await firms([['size', '=?', null]])).toEqual([1, 2, 3, 4, 5])
    expect(await firms([['size', '=?', 10]])).toEqual([1])
    expect(await firms([['deal_ids', '=?', false]])).toEqual([1, 2, 3, 4, 5])
    expect(await firms([['active', '=?', false]])).toEqual([2, 4])
  })

  test('a whole number no column can hold just never matches', async () => {
    expect(await firms([['id', '=', 2_147_483_648]])).toEqual([])
    expect(await firms([['size', '<', Number.MAX_SAFE_INTEGER]])).toEqual([1, 2, 3])
    expect(await firms([['parent_id', 'in', [-1, 0, 9_000_000_000, 1]]])).toEqual([2])
  })
})

describe('text', () => {
  test('like means contains, with % _ and \\ taken literally', async () => {
    expect(await firms([['name', 'like', '%']])).toEqual([3])
    expect(await firms([['name', 'like', '_\\']])).toEqual([3])
    expect(await firms([['name', 'ilike', '0%_']])).toEqual([3])
    expect(await firms([['name', 'like', 'strasse']])).toEqual([])
  })

  test('=like and =ilike take a pattern', async () => {
    expect(await firms([['name', '=like', 'M_ller%']])).toEqual([1])
    expect(await firms([['name', '=like', 'm_ller%']])).toEqual([])
    expect(await firms([['name', '=ilike', 'm_ller%']])).toEqual([1])
    expect(await firms([['name', '=like', '100\\%\\_\\\\']])).toEqual([3])
    expect(await firms([['name', '=like', '_']])).toEqual([5])
  })

  test('a backslash at the end of a pattern is literal', async () => {
    expect(await firms([['name', '=like', '100_%\\']])).toEqual([3])
    expect(await firms([['name', '=ilike', '%\\']])).toEqual([3])
  })

  test('ilike folds case and accents on both sides', async () => {
    expect(await firms([['name', 'ilike', 'MULLER']])).toEqual([1])
    expect(await firms([['name', 'ilike', 'straße']])).toEqual([2])
    expect(await firms([['note', 'ilike', 'FINE']])).toEqual([4])
    expect(await firms([['name', 'ilike', '％']])).toEqual([3])
    expect(await firms([['name', '=ilike', '％%']])).toEqual([])
  })

  test('folding is the same in JavaScript and in SQL for every character both know', async () => {
    const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
    const letters = all.filter((letter) => /[^\p{Cn}\p{Cs}\p{Co}\0]/u.test(letter))
    const samples = letters.filter((letter, index) => index % 61 === 0 || letter < '\u3000' || fold(letter) !== letter)
    const [texts, folded] = [samples.map((letter) => `${letter}Σ`), samples.map((letter) => fold(`${letter}Σ`))]
    const areLetters = samples.map((letter) => /\p{L}/u.test(letter))
    const decompose = samples.map((letter) => letter.normalize('NFKD') !== letter)
    // What is no letter to the server, or nothing to decompose, came with a later Unicode than its tables.
    const { rows: different } = await sql<{ text: string; folded: string; sql: string }>`
      select text, folded, svc_fold(text) as sql
      from unnest(${texts}::text[], ${folded}::text[], ${areLetters}::bool[], ${decompose}::bool[])
        as sample(text, folded, is_letter, decomposes)
      where svc_fold(text) <> folded
        and not (is_letter and left(text, 1) collate "und-x-icu" !~ '[[:alpha:]]')
        and not (decomposes and normalize(left(text, 1), NFKD) = left(text, 1))`.execute(database.db)
    expect(different).toEqual([])
  })

  test('< and > compare code points', async () => {
    expect(await firms([['note', '>', 'ﬁne']])).toEqual([4])
    expect(await firms([['name', '>', '\uE000']])).toEqual([5])
    expect(await firms([['note', '<', '\u{1F600}']])).toEqual([4, 5])
    expect(await firms([['name', '<', 'a']])).toEqual([1, 2, 3])
  })
})

describe('dates', () => {
  test('a day on a datetime means that whole day in the caller’s zone', async () => {
    const berlin = { tz: 'Europe/Berlin' }
    expect(await firms([['seen_at', '=', '2024-03-31']])).toEqual([2, 3])
    expect(await firms([['seen_at', '=', '2024-03-31']], berlin)).toEqual([2])
    expect(await firms([['seen_at', '=', '2024-04-01']], berlin)).toEqual([3])
    expect(await firms([['seen_at', '>', '2024-03-31']], berlin)).toEqual([3, 4])
    expect(await firms([['seen_at', '<=', '2024-03-31']], berlin)).toEqual([2])
    expect(await firms([['seen_at', '<', '2024-03-31']], { tz: 'America/New_York' })).toEqual([2])
    expect(await firms([['seen_at', '!=', '2024-03-31']], berlin)).toEqual([1, 3, 4, 5])
    expect(await firms([['seen_at', 'in', ['2024-03-31', '2024-10-27T02:30:00+02:00', null]]], berlin)).toEqual([
      1, 2, 4, 5,
    ])
  })

  test('the first and the last day there is reach to the ends of time in every zone', async () => {
    for (const tz of ['Pacific/Apia', 'America/New_York']) {
      expect(await firms([['seen_at', '<=', '9999-12-31']], { tz })).toEqual([2, 3, 4])
      expect(await firms([['seen_at', '>', '9999-12-31']], { tz })).toEqual([])
      expect(await firms([['seen_at', '>=', '0001-01-01']], { tz })).toEqual([2, 3, 4])
      expect(await firms([['seen_at', '<', '0001-01-01']], { tz })).toEqual([])
    }
  })

  test('parts compare whole numbers, of a datetime in the caller’s zone', async () => {
    expect(await firms([['founded.year', '=', 1999]])).toEqual([1])
    expect(await firms([['founded.quarter', 'in', [1, 4]]])).toEqual([1, 5])
    expect(await firms([['founded.week', '=', 52]])).toEqual([1])
    expect(await firms([['founded.weekday', '=', 5]])).toEqual([1])
    expect(await firms([['founded.day', '>', 29]])).toEqual([1])
    expect(await firms([['seen_at.hour', '=', 2]], { tz: 'Europe/Berlin' })).toEqual([4])
    expect(await firms([['seen_at.weekday', '=', 7]], { tz: 'Europe/Berlin' })).toEqual([2, 4])
    expect(await firms([['seen_at.month', '=', 4]], { tz: 'Europe/Berlin' })).toEqual([3])
  })

  test('a part of an unset date is null', async () => {
    expect(await firms([['founded.year', '=', null]])).toEqual([2, 3, 4])
    expect(await firms([['founded.year', '!=', 1999]])).toEqual([2, 3, 4, 5])
    expect(await firms(['!', ['founded.month', '<', 5]])).toEqual([1, 2, 3, 4])
  })

  test('relative words count from now in the caller’s zone', async () => {
    const late = { now: '2024-03-31T22:30:00Z', tz: 'Europe/Berlin' }
    expect(await firms([['seen_at', '=', 'today']], late)).toEqual([3])
    expect(await firms([['seen_at', '=', '-1d']], late)).toEqual([2])
    expect(await firms([['seen_at', '<', 'now']], late)).toEqual([2, 3])
    expect(await firms([['seen_at', '>', '-1h']], late)).toEqual([3, 4])
    expect(await firms([['founded', '=', '-1m']], { now: '2024-03-31T10:00:00Z' })).toEqual([5])
    expect(await firms([['founded', '<=', 'now']])).toEqual([1, 5])
    expect(await firms([['founded', '>', '-1y']])).toEqual([5])
  })
})

describe('relations', () => {
  test('a many2one compares with ids', async () => {
    expect(await deals([['firm_id', '=', 1]])).toEqual([1, 2])
    expect(await deals([['firm_id', '!=', 1]])).toEqual([3, 4])
    expect(await deals([['firm_id', 'in', [4, null]]])).toEqual([3, 4])
  })

  test('a many2one with text searches the display name', async () => {
    expect(await deals([['firm_id', 'ilike', 'muller']])).toEqual([1, 2])
    expect(await deals([['firm_id', 'not ilike', 'muller']])).toEqual([3, 4])
    expect(await deals([['firm_id', '=', 'Müller & Söhne']])).toEqual([1, 2])
    expect(await deals([['firm_id', '=', 'Müller']])).toEqual([])
    expect(await deals([['firm_id', 'in', ['nobody', 'Müller & Söhne', 4]]])).toEqual([1, 2, 3])
  })

  test('the display name joins its fields, and names the record when it has none', async () => {
    expect(await deals([['display_name', '=', 'Big X']])).toEqual([1])
    expect(await deals([['display_name', '=', 'Y']])).toEqual([3])
    expect(await deals([['display_name', '=', null]])).toEqual([4])
    expect(await deals([['tag_ids', 'ilike', 'TAG,3']])).toEqual([4])
    expect(await tags([['display_name', 'in', ['trial.tag,2', 'x']]])).toEqual([2])
  })

  test('a.b op v is a any [b op v], so an unset a never matches', async () => {
    expect(await deals([['firm_id.name', '=', null]])).toEqual([3])
    expect(await deals([['firm_id.size', '!=', 10]])).toEqual([3])
    expect(await deals(['!', ['firm_id.size', '=', 10]])).toEqual([3, 4])
    expect(await firms([['parent_id.parent_id.size', '=', 10]])).toEqual([3])
    expect(await firms([['deal_ids.tag_ids.color', '=', 1]])).toEqual([1])
  })

  test('an x2many in ids is some line, not in is no such line', async () => {
    expect(await deals([['tag_ids', 'in', [1, 3]]])).toEqual([1, 4])
    expect(await deals([['tag_ids', 'not in', [1, 3]]])).toEqual([2, 3])
    expect(await deals([['tag_ids', '=', 2]])).toEqual([1, 2])
    expect(await firms([['deal_ids', 'in', [2, 3]]])).toEqual([1, 4])
    expect(await firms([['deal_ids', 'not in', []]])).toEqual([1, 2, 3, 4, 5])
  })

  test('null on an x2many is no line', async () => {
    expect(await deals([['tag_ids', '=', null]])).toEqual([3])
    expect(await deals([['tag_ids', '!=', false]])).toEqual([1, 2, 4])
    expect(await deals([['tag_ids', 'in', [3, null]]])).toEqual([3, 4])
    expect(await deals([['tag_ids', 'not in', [3, null]]])).toEqual([1, 2])
  })

  test('text on an x2many is some line by name', async () => {
    expect(await firms([['deal_ids', 'ilike', 'big']])).toEqual([1])
    expect(await firms([['deal_ids', '=', 'Small']])).toEqual([1])
    expect(await firms([['deal_ids', 'not like', 'Big']])).toEqual([2, 3, 4, 5])
    expect(await firms([['deal_ids', 'in', ['Y', 'Z']]])).toEqual([4])
  })

  test('two dotted conditions may meet on different lines, one any on the same line', async () => {
    expect(
      await firms([
        ['deal_ids.code', '=', 'X'],
        ['deal_ids.name', '=', 'Small'],
      ]),
    ).toEqual([1])
    expect(
      await firms([
        [
          'deal_ids',
          'any',
          [
            ['code', '=', 'X'],
            ['name', '=', 'Small'],
          ],
        ],
      ]),
    ).toEqual([])
  })

  test('record rules apply inside every hop, and not to what a rule itself looks at', async () => {
    const rules = { 'trial.firm': [['name', '!=', null]], 'trial.deal': [['firm_id.active', '=', true]] }
    expect(await deals([['firm_id', 'any', []]], { rules })).toEqual([1, 2])
    expect(await deals([['firm_id', 'not any', []]], { rules })).toEqual([3, 4])
    expect(await deals([['firm_id', '=', 4]], { rules })).toEqual([3])
    expect(await firms([['deal_ids', '=', null]], { rules })).toEqual([2, 3, 4, 5])
    expect(await deals([['tag_ids', 'in', [1]]], { rules: { 'trial.tag': [['color', '=', 2]] } })).toEqual([])
  })

  test('a related field compares like the value at the end of its path, unset where a step is', async () => {
    expect(await deals([['firm_name', 'ilike', 'muller']])).toEqual([1, 2])
    expect(await deals([['firm_name', '=', null]])).toEqual([3, 4])
    expect(await deals([['firm_name', '!=', 'STRASSE']])).toEqual([1, 2, 3, 4])
    expect(await deals([['firm_active', '=', false]])).toEqual([3, 4])
    expect(await deals([['firm_parent_id', '=', null]])).toEqual([1, 2, 3, 4])
    expect(await deals([['firm_deal_ids', 'in', [2]]])).toEqual([1, 2])
    expect(await deals([['firm_deal_ids', 'not in', [2]]])).toEqual([3, 4])
    expect(await deals([['firm_deal_ids.firm_name', 'like', 'M']])).toEqual([1, 2])
  })
})

describe('hierarchy', () => {
  test('child_of and parent_of include the start', async () => {
    expect(await firms([['id', 'child_of', 2]])).toEqual([2, 3, 5])
    expect(await firms([['id', 'parent_of', 3]])).toEqual([1, 2, 3])
    expect(await firms(['!', ['id', 'child_of', [2, 4]]])).toEqual([1])
  })

  test('the start may be ids or a name; null starts nowhere', async () => {
    expect(await firms([['id', 'child_of', 'STRASSE']])).toEqual([2, 3, 5])
    expect(await firms([['id', 'parent_of', ['STRASSE', 4]]])).toEqual([1, 2, 4])
    expect(await firms([['id', 'child_of', null]])).toEqual([])
    expect(await firms([['id', 'child_of', []]])).toEqual([])
  })

  test('on a relation the tree of its target counts', async () => {
    expect(await deals([['firm_id', 'child_of', 1]])).toEqual([1, 2])
    expect(await deals([['firm_id', 'parent_of', 5]])).toEqual([1, 2])
    expect(await deals(['!', ['firm_id', 'child_of', 1]])).toEqual([3, 4])
    expect(await firms([['deal_ids.firm_id', 'child_of', [4]]])).toEqual([4])
  })

  test('a relation onto the same model is walked itself', async () => {
    expect(await firms([['parent_id', 'child_of', 2]])).toEqual([3, 5])
    expect(await firms([['boss_id', 'child_of', 4]])).toEqual([2, 3])
    expect(await firms([['child_ids', 'child_of', 2]])).toEqual([1, 2, 3])
  })

  test('a walk stops at records the rule hides', async () => {
    const rules = { 'trial.firm': [['id', '!=', 3]] }
    expect(await firms([['id', 'child_of', 2]], { rules })).toEqual([2])
    expect(await firms([['id', 'parent_of', 5]], { rules })).toEqual([5])
    expect(await firms([['id', 'child_of', 3]], { rules })).toEqual([])
  })
})
