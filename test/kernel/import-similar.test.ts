import { expect, test } from 'vitest'
import { closenessTo } from '../../kernel/model/similar.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'

const to = (name: string, other: string) => closenessTo(name)?.(other) ?? 0

test('names are alike that begin with each other, or in which few letters differ', () => {
  expect(to('Portugual', 'Portugal')).toBeGreaterThan(0.8)
  expect(to('Fjord Harbour', 'fjörd harbour glass')).toBeGreaterThan(0.7)
  expect(to('Fjord', 'Meadow')).toBe(0)
})

test('a name without letters, or longer than any, is like none', () => {
  for (const name of ['', '---', 'x'.repeat(61), `x${'-'.repeat(60_000)}`]) {
    expect(closenessTo(name)).toBeNull()
    expect(to('x', name)).toBe(0)
  }
})

test('a text of the largest cell takes no time, however many names it is compared with', async () => {
  const long = `Fjord Harbour Glass ${'é'.repeat(60_000)}`
  await expectCpuBelow(50, () => {
    for (let n = 0; n < 200; n++) to(long, `Fjord ${n}`) + to(`Fjord ${n}`, long)
  })
})
