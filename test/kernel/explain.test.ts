import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccessQuestion, explainDecision } from '../../kernel/access/explain.ts'
import type { AccessTables, Operation } from '../../kernel/access/tables.ts'
import type { Principal } from '../../kernel/env.ts'
import { read } from '../../kernel/orm/record/read.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { accessLine, accessTables, GROUPS, principal, recordRule, shopEnv, shopRegistry } from '../support/shop.ts'
import { storeRows } from './domain-engines.ts'

const ROWS = {
  'core.company': [1, 2, 3].map((id) => ({ id, name: `Company ${id}` })),
  'shop.country': [{ id: 1, name: 'Norway' }],
  'shop.partner': [
    { id: 1, name: 'Own', level: 7, company_id: 1, country_id: 1 },
    { id: 2, name: 'Other', level: 8, company_id: 2 },
    { id: 3, name: 'Foreign', company_id: 3 },
    { id: 4, name: 'Shared' },
  ],
}

const model = 'shop.partner'
const ofCompanies = recordRule({
  ...{ id: 10, model, name: 'companies' },
  domain: ['|', ['company_id', '=', null], ['company_id', 'in', { var: 'company_ids' }]],
})
const ofLevel = recordRule({
  ...{ id: 11, model, name: 'own level', groupIds: [GROUPS.users], operations: ['read', 'write'] },
  domain: [['level', '=', { var: 'user.id' }], '!', ['country_id.name', '=', 'Chile']],
})
const forBosses = recordRule({ id: 12, model, name: 'bosses see all', groupIds: [GROUPS.bosses], domain: [] })
const lines = [
  accessLine({ id: 1, model, operations: ['read'] }),
  accessLine({ id: 2, model, groupId: GROUPS.bosses }),
  accessLine({ id: 3, model, groupId: null, operations: ['create'] }),
]
const access = accessTables({ lines, rules: [ofCompanies, ofLevel, forBosses] })
const ann = principal([GROUPS.users])

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await storeRows(database.db, { registry: shopRegistry, rows: ROWS })
})
afterAll(() => database.drop())
beforeEach(() => {
  database.statements.length = 0
})

const asAdmin = (tables: AccessTables = access) =>
  shopEnv(database.db, { user: principal([GROUPS.system], { id: 1 }), access: tables })

const ask = (question: Partial<AccessQuestion>, tables: AccessTables = access) =>
  explainDecision(asAdmin(tables), { user: ann, model, id: 1, operation: 'read', ...question }, async () => null)

describe('an explanation', () => {
  test('lists each access line and its effect for the user', async () => {
    const { access: read } = await ask({})
    expect(read).toEqual({
      allowed: true,
      lines: [
        { id: 1, groupId: GROUPS.users, effect: 'grants' },
        { id: 2, groupId: GROUPS.bosses, effect: 'other group' },
        { id: 3, groupId: null, effect: 'other operation' },
      ],
    })
    const { allowed, access: write } = await ask({ operation: 'write' })
    expect(allowed).toBe(false)
    expect(write.allowed).toBe(false)
    expect(write.lines.map(({ effect }) => effect)).toEqual(['other operation', 'other group', 'other operation'])
  })

  test('lists each rule with the result of every condition, variables replaced', async () => {
    const { allowed, rules } = await ask({ id: 2 })
    expect(allowed).toBe(false)
    expect(rules).toEqual({
      allowed: false,
      items: [
        {
          ...{ id: 10, name: 'companies', groupIds: [], scope: 'applies', matches: false },
          truth: {
            kind: 'or',
            matches: false,
            items: [
              { kind: 'condition', condition: ['company_id', '=', null], matches: false },
              { kind: 'condition', condition: ['company_id', 'in', [1]], matches: false },
            ],
          },
        },
        {
          ...{ id: 11, name: 'own level', groupIds: [GROUPS.users], scope: 'applies', matches: false },
          truth: {
            kind: 'and',
            matches: false,
            items: [
              { kind: 'condition', condition: ['level', '=', 7], matches: false },
              {
                kind: 'not',
                matches: true,
                items: [{ kind: 'condition', condition: ['country_id.name', '=', 'Chile'], matches: false }],
              },
            ],
          },
        },
        {
          ...{ id: 12, name: 'bosses see all', groupIds: [GROUPS.bosses], scope: 'other group', matches: true },
          truth: { kind: 'and', matches: true, items: [] },
        },
      ],
    })
  })

  test('leaves out rules that are about another operation', async () => {
    const { rules } = await ask({ id: 2, operation: 'unlink' })
    expect(rules.items.map(({ scope }) => scope)).toEqual(['applies', 'other operation', 'other group'])
  })

  test.each([
    [1, { companyId: 1, state: 'active', decides: false }],
    [2, { companyId: 2, state: 'inactive', decides: false }],
    [3, { companyId: 3, state: 'foreign', decides: false }],
    [4, { companyId: null, state: 'shared', decides: false }],
  ])('tells how the company of record %i stands to the user', async (id, company) => {
    expect((await ask({ id })).company).toEqual(company)
  })

  test('says if working in another company would change the answer', async () => {
    const tables = accessTables({ lines, rules: [ofCompanies] })
    expect(await ask({ id: 2 }, tables)).toMatchObject({
      allowed: false,
      company: { state: 'inactive', decides: true },
    })
    expect(await ask({ id: 1 }, tables)).toMatchObject({ allowed: true, company: { state: 'active', decides: false } })
  })

  test('names the groups of a field', async () => {
    expect(await ask({ field: 'credit' })).toMatchObject({
      allowed: false,
      field: { name: 'credit', allowed: false, groups: ['shop.group_boss'], secret: false },
    })
    expect(await ask({ field: 'name' })).toMatchObject({ allowed: true, field: { allowed: true, groups: [] } })
    expect((await ask({})).field).toBeNull()
  })

  test('distinguishes a secret from a field of other groups', async () => {
    const tables = accessTables({ lines: [accessLine({ model: 'shop.order' })] })
    await storeRows(database.db, { registry: shopRegistry, rows: { 'shop.order': [{ id: 1, active: true }] } })
    const secret = { model: 'shop.order', field: 'pin' }
    expect((await ask(secret, tables)).field).toMatchObject({ allowed: false, secret: true })
    expect((await ask({ ...secret, operation: 'write' }, tables)).field).toMatchObject({ allowed: true, secret: true })
    expect((await ask(secret, tables)).company).toBeNull()
  })

  test('answers once more for the user in another group and all it implies', async () => {
    const { allowed, whatIf } = await ask({ operation: 'write', field: 'credit', whatIfGroup: GROUPS.bosses })
    expect(allowed).toBe(false)
    expect(whatIf).toMatchObject({ allowed: true, access: { allowed: true }, field: { allowed: true } })
    expect((await ask({ operation: 'write', whatIfGroup: GROUPS.guests })).whatIf).toMatchObject({ allowed: false })
    expect((await ask({})).whatIf).toBeNull()
  })

  test('shows a rule that cannot be read, which stops every request', async () => {
    const rules = [recordRule({ model, domain: [['gone', '=', 1]] })]
    const { allowed, rules: told } = await ask({}, accessTables({ lines, rules }))
    expect(allowed).toBe(false)
    expect(told.items[0]).toMatchObject({ matches: false, truth: { kind: 'broken' } })
  })

  test('without lines or rules says no to the one and yes to the other', async () => {
    expect(await ask({}, accessTables({ lines: [] }))).toMatchObject({
      allowed: false,
      access: { allowed: false, lines: [] },
      rules: { allowed: true, items: [] },
    })
  })
})

describe('the verdict', () => {
  const users: readonly [string, Principal][] = [
    ['a user', ann],
    ['a boss', principal([GROUPS.users, GROUPS.bosses])],
    ['a guest', principal([GROUPS.guests])],
    ['a user in two companies', principal([GROUPS.users], { companyIds: [2, 1], id: 8 })],
  ]
  const tables: readonly AccessTables[] = [
    access,
    accessTables({ lines, rules: [ofCompanies, forBosses] }),
    accessTables({ lines, rules: [ofLevel, forBosses] }),
    accessTables({ lines }),
  ]

  test.each(users)('for %s is what a read does', async (_name, user) => {
    for (const each of tables) {
      for (const { id } of ROWS[model]) {
        const env = shopEnv(database.db, { user, access: each })
        const done = await read(env, shopRegistry.model(model)!, [id], ['name']).then(
          () => true,
          (error) => error.code !== 'ACCESS_DENIED',
        )
        expect((await ask({ user, id }, each)).allowed).toBe(done)
      }
    }
  })
})

describe('the question', () => {
  const refusal = (code: string) => expect.objectContaining({ code })

  test('is for administrators only', async () => {
    const boss = shopEnv(database.db, { user: principal([GROUPS.users, GROUPS.bosses]), access })
    const question = { user: ann, model, id: 1, operation: 'read' as Operation }
    await expect(explainDecision(boss, question, async () => null)).rejects.toEqual(refusal('ACCESS_DENIED'))
    expect(database.statements).toEqual([])
  })

  test.each<[string, string, Partial<AccessQuestion>]>([
    ['an unknown model', 'NOT_FOUND', { model: 'shop.nothing' }],
    ['an unknown record', 'NOT_FOUND', { id: 99 }],
    ['an unknown group', 'NOT_FOUND', { whatIfGroup: 99 }],
    ['an unknown field', 'BAD_REQUEST', { field: 'nothing' }],
  ])('about %s is %s', async (_name, code, question) => {
    await expect(ask(question)).rejects.toEqual(refusal(code))
  })
})
