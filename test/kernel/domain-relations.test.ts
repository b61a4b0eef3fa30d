import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AskOptions, openTrial, type Trial } from './domain-trial.ts'

let trial: Trial
beforeAll(async () => {
  trial = await openTrial()
})
afterAll(() => trial.database.drop())

const firms = (domain: readonly unknown[], options?: AskOptions) => trial.ask('trial.firm', domain, options)
const deals = (domain: readonly unknown[], options?: AskOptions) => trial.ask('trial.deal', domain, options)
const tags = (domain: readonly unknown[], options?: AskOptions) => trial.ask('trial.tag', domain, options)

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

  test('the start may be ids or a part of a name; null starts nowhere', async () => {
    expect(await firms([['id', 'child_of', 'STRASSE']])).toEqual([2, 3, 5])
    expect(await firms([['id', 'parent_of', ['STRASSE', 4]]])).toEqual([1, 2, 4])
    expect(await firms([['id', 'child_of', 'stra']])).toEqual([2, 3, 5])
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
    expect(await firms([['parent_id', 'child_of', 2]])).toEqual(await firms([['id', 'child_of', 2]]))
    expect(await firms([['parent_id', 'parent_of', 3]])).toEqual(await firms([['id', 'parent_of', 3]]))
    expect(await firms(['!', ['parent_id', 'child_of', [2, 4]]])).toEqual([1])
    expect(await firms([['boss_id', 'child_of', 4]])).toEqual([2, 3, 4])
    expect(await deals([['firm_id.parent_id', 'child_of', 1]])).toEqual([1, 2])
    expect(await firms([['child_ids', 'child_of', 2]])).toEqual([1, 2, 3])
  })

  test('a walk stops at records the rule hides', async () => {
    const rules = { 'trial.firm': [['id', '!=', 3]] }
    expect(await firms([['id', 'child_of', 2]], { rules })).toEqual([2])
    expect(await firms([['id', 'parent_of', 5]], { rules })).toEqual([5])
    expect(await firms([['id', 'child_of', 3]], { rules })).toEqual([])
  })
})
