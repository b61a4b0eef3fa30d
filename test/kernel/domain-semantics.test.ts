import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fold } from '../../kernel/domain/fold.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { type AskOptions, openTrial, type Trial } from './domain-trial.ts'

let trial: Trial
beforeAll(async () => {
  trial = await openTrial()
})
afterAll(() => trial.database.drop())

const firms = (domain: readonly unknown[], options?: AskOptions) => trial.ask('trial.firm', domain, options)
const deals = (domain: readonly unknown[], options?: AskOptions) => trial.ask('trial.deal', domain, options)

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
        and not (decomposes and normalize(left(text, 1), NFKD) = left(text, 1))`.execute(trial.database.db)
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
