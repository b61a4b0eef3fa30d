import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { deliveriesOf } from '../../kernel/live/deliveries.ts'
import { currentPosition, type LoggedEvent, readOutbox } from '../../kernel/live/follow-outbox.ts'
import { couldRead, readForRules } from '../../kernel/orm/record/rule-values.ts'
import { createEnv } from '../../kernel/work/create-env.ts'
import { expectTurnsBelow } from '../support/cpu-time.ts'
import { openPeople, type People } from '../support/people.ts'

const WIDE = ['|', ['city', '!=', 'zz'], ['parent_id.child_ids.city', '!=', 'zz']]
const CHILDREN = 5_000

let people: People
let crowd: readonly number[]

beforeAll(async () => {
  people = await openPeople(['base'])
  crowd = await family(CHILDREN)
})
afterAll(() => people.leave())

/** Contacts of a company of their own. */
async function family(children: number, values: object = {}): Promise<readonly number[]> {
  const ids: number[] = []
  const parent_id = await people.asSystem((env) => env.model('core.partner').create({ name: 'Parent' }))
  for (let made = 0; made < children; made += 1_000) {
    const some = Array.from({ length: Math.min(1_000, children - made) }, (_, i) => ({
      ...{ name: `Child ${made + i}`, parent_id, city: 'Bonn' },
      ...values,
    }))
    ids.push(...(await people.asSystem((env) => env.model('core.partner').createMany(some))))
  }
  return ids
}

/** While a rule of the administrator's own limits what is read of contacts. */
async function under<T>(domain: readonly unknown[], work: () => Promise<T>): Promise<T> {
  const rule = { name: 'Own', model: 'core.partner', perm_write: false, perm_create: false, perm_unlink: false }
  const id = await people.asSystem((env) => env.model('sys.rule').create({ ...rule, domain: JSON.stringify(domain) }))
  try {
    return await work()
  } finally {
    await people.asSystem((env) => env.model('sys.rule').unlink([id]))
  }
}

interface Told {
  readonly statements: number
  readonly events: readonly LoggedEvent[]
  /** Characters of what the events remember. */
  readonly chars: number
}

/** Statements of a transaction, and the events about contacts that it leaves. */
async function cost(work: (env: Env) => Promise<unknown>, login = 'ann'): Promise<Told> {
  const position = await currentPosition(people.database.db)
  await people.as(login, async () => {})
  let statements = 0
  await people.as(login, async (env) => {
    const from = people.database.statements.length
    await work(env)
    statements = people.database.statements.length - from
  })
  const { events: all } = await readOutbox(people.database.db, position)
  const events = all.filter(({ payload }) => payload['model'] === 'core.partner')
  return { statements, events, chars: events.reduce((sum, { before }) => sum + JSON.stringify(before).length, 0) }
}

const writeCity = (ids: readonly number[], city: string) => (env: Env) => env.model('core.partner').write(ids, { city })
const remove = (ids: readonly number[]) => (env: Env) =>
  env.sudo('a test removes contacts').model('core.partner').unlink(ids)

async function readerOf(login: string): Promise<Env> {
  const { services, holder } = people.modules
  const user = await people.as(login, async (env) => env.user)
  const state = await holder.latest()
  return createEnv({ services, state, tx: services.db, user, requestId: 'test', now: new Date() })
}

/** The different events that a user receives. */
async function heard(reader: Env, events: readonly LoggedEvent[]): Promise<readonly string[]> {
  const deliveries = await deliveriesOf([reader], events)
  return [...new Set(deliveries.map(({ channel, payload }) => `${channel} ${Object.keys(payload).toSorted()}`))]
}

test('what a write of contacts costs does not depend on how many a rule reaches from them', async () => {
  const plain = await cost(writeCity(crowd.slice(0, 90), 'Kiel'))
  await under(WIDE, async () => {
    const told = await cost(writeCity(crowd.slice(0, 90), 'Trier'))
    expect(told.statements - plain.statements).toBeLessThanOrEqual(5)
    expect(told.events.map(({ before }) => before)).toEqual(Array(91).fill(null))
    const one = await cost(writeCity(crowd.slice(0, 1), 'Ulm'))
    expect(one.statements - plain.statements).toBeLessThanOrEqual(5)
    expect(one.chars).toBeLessThan(20)
    let at = 0
    await expectTurnsBelow(100, () => people.as('ann', writeCity(crowd.slice(0, 90), `Town ${at++}`)))
    const gone = await cost(remove(crowd.slice(-90)))
    expect(gone.events.map(({ before }) => before)).toEqual(Array(91).fill(null))
  })
})

test('without remembered values, users with a rule only learn that contacts changed, and nothing about hidden ones', async () => {
  await under(WIDE, async () => {
    const ann = await readerOf('ann')
    const updated = await cost(writeCity(crowd.slice(0, 2), 'zz'))
    expect(await heard(ann, updated.events)).toEqual(['model.changed model', 'record.updated fields,id,model'])
    expect(await heard(ann, (await cost(remove(crowd.slice(90, 92)))).events)).toEqual(['model.changed model'])
    const stranger = { ...ann, user: { ...ann.user, groupIds: new Set<number>() } }
    expect(await heard(stranger, updated.events)).toEqual([])
  })
  await under([...WIDE.slice(0, 1), ['parent_id.child_ids.name', '=', 'nobody'], ['city', '!=', 'zz']], async () => {
    const hidden = await cost(writeCity(crowd.slice(2, 4), 'zz'), 'ann')
    expect(await heard(await readerOf('ann'), hidden.events)).toEqual(['model.changed model'])
  })
})

test('a user who loses sight of one of few contacts gets an event about it, whatever paths the rule follows', async () => {
  const few = await family(3)
  await under(['|', ['city', '!=', 'zz'], ['parent_id.child_ids.name', '=', 'nobody']], async () => {
    const ann = await readerOf('ann')
    expect(await heard(ann, (await cost(writeCity(few.slice(0, 1), 'zz'))).events)).toEqual(['record.hidden id,model'])
    expect(await heard(ann, (await cost(remove(few.slice(0, 1)))).events)).toEqual([])
    expect(await heard(ann, (await cost(remove(few.slice(1)))).events)).toEqual(['record.deleted by,id,model'])
  })
})

test('deleting a contact is announced to many users whose rules read many records, without blocking the loop', async () => {
  const some = await family(LIMITS.rememberedRows / 2 - 10)
  await under(['|', ['city', '=', 'zz'], ['parent_id.child_ids.city', '=', 'Bonn']], async () => {
    const ann = await readerOf('ann')
    const crowded = Array.from({ length: 2_000 }, (_, i) => ({ ...ann, user: { ...ann.user, id: 10_000 + i } }))
    await people.asSystem((env) => env.model('core.partner').write(some.slice(0, -1), { city: 'Rom' }))
    const { events, chars } = await cost(remove(some.slice(0, 1)))
    expect(chars).toBeGreaterThan(10_000)
    await expectTurnsBelow(50, async () => {
      const [delivery] = await deliveriesOf(crowded, events)
      expect(delivery?.readers).toHaveLength(crowded.length)
    })
  })
})

test('no path of a rule makes events remember more than the limits', async () => {
  const forty = await family(40)
  const tags = await people.asSystem((env) =>
    env.model('core.tag').createMany(Array.from({ length: 900 }, (_, i) => ({ name: `Image tag ${i}` }))),
  )
  const tagged = await family(80, { tag_ids: tags.slice(0, 10) })
  await people.asSystem((env) =>
    env.model('core.partner').write(tagged.slice(0, 1), { tag_ids: [[6, 0, tags]] as never }),
  )
  const chain: number[] = []
  for (let depth = 0; depth < LIMITS.rememberedReads + 2; depth++) {
    const above = chain.at(-1)
    chain.push(
      await people.asSystem((env) =>
        env.model('core.partner').create({ name: `Step ${depth}`, city: 'Bonn', ...(above && { parent_id: above }) }),
      ),
    )
  }
  const long = await family(2, { note: 'x'.repeat(60_000) })
  const cases: readonly (readonly [string, readonly unknown[], readonly number[]])[] = [
    ['many2many', ['tag_ids.name', '!=', 'zz'], tagged],
    [
      'a long chain',
      ['parent_id.child_ids.parent_id.child_ids.parent_id.child_ids.city', '!=', 'zz'],
      forty.slice(0, 1),
    ],
    ['child_of', ['id', 'child_of', chain[0]], chain.slice(-1)],
    ['parent_of', ['id', 'parent_of', crowd[0]], forty.slice(0, 1)],
    ['a text', ['note', '!=', 'zz'], long],
  ]
  for (const [name, leaf, ids] of cases) {
    const told = await under(['|', ['city', '!=', 'zz'], leaf], () => cost(writeCity(ids, 'Köln')))
    expect([name, told.events.length, told.chars < 20 * (ids.length + 1)]).toEqual([name, ids.length + 1, true])
    expect([name, told.statements < LIMITS.rememberedReads + 20]).toEqual([name, true])
  }
})

test('of more contacts than are named one by one nothing is read for their events, in one call or in several', async () => {
  const many = crowd.slice(1_000, 2_000)
  const plain = await cost(writeCity(many, 'Kiel'), 'admin')
  await under(['|', ['city', '!=', 'zz'], ['parent_id.name', '!=', 'zz']], async () => {
    const told = await cost(writeCity(many, 'Trier'), 'admin')
    expect(told.events.map(({ channel }) => channel)).toEqual(['model.changed'])
    expect(told.statements - plain.statements).toBeLessThanOrEqual(1)
    const calls = (count: number) => async (env: Env) => {
      for (let at = 0; at < count; at++) await writeCity(many.slice(at * 60, at * 60 + 60), 'Ulm')(env)
    }
    const [one, two, six] = [await cost(calls(1)), await cost(calls(2)), await cost(calls(6))]
    expect(six.statements - two.statements).toBe(4 * (two.statements - one.statements))
    expect(two.statements).toBeLessThan(2 * one.statements)
  })
})

test('the events of one transaction share the room for what they remember', async () => {
  const [first = 0, ...others] = await family(LIMITS.rememberedRows / 2 - 10)
  await under(['|', ['city', '!=', 'zz'], ['parent_id.child_ids.city', '!=', 'zz']], async () => {
    const each = async (ids: readonly number[]) =>
      cost(async (env) => {
        for (const id of ids) await env.model('core.partner').write([id], { city: 'Köln' })
      })
    const one = await each([first, first, first])
    expect(one.events).toHaveLength(1)
    expect(one.chars).toBeGreaterThan(10_000)
    const many = await each(others.slice(0, 30))
    expect(many.events).toHaveLength(31)
    expect(many.chars).toBeLessThan(LIMITS.rememberedChars)
  })
})

test('the remembered values give the same result as the rule, in any order of its conditions', async () => {
  const few = await family(4)
  const reader = await readerOf('ann')
  const model = reader.registry.model('core.partner')!
  await people.asSystem((env) => env.model('core.partner').write(few.slice(0, 1), { city: 'Rom' }))
  await people.asSystem((env) => env.model('core.partner').write(few.slice(1, 2), { parent_id: few[0]! }))
  const leaves = [
    ['parent_id.city', '=', 'Rom'],
    ['id', 'child_of', few[2]!],
    ['parent_id.parent_id.child_ids', 'in', [few[3]!]],
    ['image', '!=', false],
    ['tag_ids', '!=', false],
  ]
  const domains = leaves.flatMap((one) =>
    leaves.filter((other) => other !== one).map((other) => ['!', one, '!', other]),
  )
  for (const domain of domains)
    await under(domain, async () => {
      const ann = await readerOf('ann')
      const before = await people.asSystem((env) => readForRules(env, model, few))
      const could = few.filter((id) => couldRead(ann, model, before.get(id) ?? null))
      const reads = await people.as('ann', (env) => env.model('core.partner').search([['id', 'in', few]]))
      expect([domain, could]).toEqual([domain, reads.toSorted((a, b) => a - b)])
    })
})
