import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Env, nextNumber, nextNumbers, type Values } from '#kernel'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

const make = (code: string, values: Values<'sys.sequence'> = {}) =>
  people.as('admin', (env) => env.model('sys.sequence').create({ name: code, code, ...values }))

const draw = (code: string, count = 1) => people.as('ann', (env) => nextNumbers(env, code, count))

const YEAR = String(new Date().getUTCFullYear())

describe.each(['fast', 'gapless'] as const)('a %s sequence', (kind) => {
  test('counts up, padded, between its prefix and suffix', async () => {
    await make(`${kind}.plain`, {
      kind,
      prefix: 'INV/%(year)s/',
      suffix: '-%(month)s%(day)s',
      padding: 5,
      next_number: 7,
    })
    const today = new Date().toISOString().slice(0, 10)
    const [, month, day] = today.split('-')
    expect(await draw(`${kind}.plain`, 3)).toEqual(
      ['00007', '00008', '00009'].map((number) => `INV/${YEAR}/${number}-${month}${day}`),
    )
    expect(await draw(`${kind}.plain`)).toEqual([`INV/${YEAR}/00010-${month}${day}`])
  })

  test('steps by its increment', async () => {
    await make(`${kind}.step`, { kind, increment: 10, next_number: 0 })
    expect(await draw(`${kind}.step`, 3)).toEqual(['0', '10', '20'])
  })

  test('gives no number twice to many at once', async () => {
    await make(`${kind}.busy`, { kind })
    const drawn = (await Promise.all(Array.from({ length: 20 }, () => draw(`${kind}.busy`, 5)))).flat()
    expect(new Set(drawn).size).toBe(100)
    expect(Math.max(...drawn.map(Number))).toBe(100)
  })

  test('shows in its preview what it gives next', async () => {
    const id = await make(`${kind}.preview`, { kind, prefix: 'P', padding: 3 })
    await draw(`${kind}.preview`, 4)
    const [row] = await people.as('admin', (env) => env.model('sys.sequence').read([id], ['preview']))
    expect(row!.preview).toBe('P005')
    expect(await draw(`${kind}.preview`)).toEqual(['P005'])
  })

  test('goes on from a number set by hand', async () => {
    const id = await make(`${kind}.set`, { kind })
    await draw(`${kind}.set`, 2)
    await people.as('admin', (env) => env.model('sys.sequence').write([id], { next_number: 100 }))
    expect(await draw(`${kind}.set`)).toEqual(['100'])
  })

  test('goes on where it was when its kind changes', async () => {
    const id = await make(`${kind}.turn`, { kind })
    await draw(`${kind}.turn`, 3)
    const other = kind === 'fast' ? 'gapless' : 'fast'
    await people.as('admin', (env) => env.model('sys.sequence').write([id], { kind: other }))
    expect(await draw(`${kind}.turn`)).toEqual(['4'])
    await people.as('admin', (env) => env.model('sys.sequence').write([id], { kind, increment: 2 }))
    expect(await draw(`${kind}.turn`, 2)).toEqual(['5', '7'])
  })

  test('disappears with its record', async () => {
    const id = await make(`${kind}.gone`, { kind })
    await people.as('admin', (env) => env.model('sys.sequence').unlink([id]))
    await expect(draw(`${kind}.gone`)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a rolled-back draw', () => {
  const drawAndFail = (code: string) =>
    people.as('ann', async (env) => {
      await nextNumber(env, code)
      throw new Error('undone')
    })

  test('leaves a gap in a fast sequence', async () => {
    await make('gap.fast', { kind: 'fast' })
    await expect(drawAndFail('gap.fast')).rejects.toThrow('undone')
    expect(await draw('gap.fast')).toEqual(['2'])
  })

  test('leaves none in a gapless one', async () => {
    await make('gap.gapless', { kind: 'gapless' })
    await expect(drawAndFail('gap.gapless')).rejects.toThrow('undone')
    expect(await draw('gap.gapless')).toEqual(['1'])
  })
})

test('a fast sequence never waits for another transaction', async () => {
  await make('wait.fast', { kind: 'fast' })
  await people.as('ann', async (env) => {
    expect(await nextNumber(env, 'wait.fast')).toBe('1')
    expect(await draw('wait.fast')).toEqual(['2'])
  })
})

test('a company with its own sequence uses it, other companies share the common one', async () => {
  await make('per.company', { prefix: 'ALL' })
  const currency = await people.asSystem((env) => env.model('core.currency').search([['name', '=', 'EUR']]))
  const company = await people.asSystem((env) =>
    env.model('core.company').create({ name: 'Branch', currency_id: currency[0]! }),
  )
  await people.asSystem((env) =>
    env.model('sys.sequence').create({ name: 'Branch', code: 'per.company', prefix: 'BRANCH', company_id: company }),
  )
  await people.hire('branch', undefined, { company_id: company, company_ids: [company] })
  expect(await draw('per.company')).toEqual(['ALL1'])
  expect(await people.as('branch', (env) => nextNumber(env, 'per.company'))).toBe('BRANCH1')
})

test('the day of a prefix is the day in the zone of the caller', async () => {
  await make('zone', { prefix: '%(year)s-%(month)s-%(day)s/' })
  const near = (env: Env, tz: string): Env => Object.freeze({ ...env, tz, now: new Date('2026-12-31T23:30:00Z') })
  expect(await people.as('ann', (env) => nextNumber(near(env, 'UTC'), 'zone'))).toBe('2026-12-31/1')
  expect(await people.as('ann', (env) => nextNumber(near(env, 'Asia/Tokyo'), 'zone'))).toBe('2027-01-01/2')
})

test.each([
  ['prefix', { prefix: '%(century)s' }, 'VALIDATION'],
  ['suffix', { suffix: '%(constructor)s' }, 'VALIDATION'],
  ['padding', { padding: 30 }, 'VALIDATION'],
  ['increment', { increment: 0 }, 'VALIDATION'],
])('a sequence with a bad %s is refused', async (_field, values, code) => {
  await expect(make('bad', values)).rejects.toMatchObject({ code })
})

test('an unknown code is NOT_FOUND', async () => {
  await expect(draw('no.such.sequence')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
