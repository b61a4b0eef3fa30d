import { expect, test } from 'vitest'
import { openWorkGate } from '../../runtime/work-gate.ts'

test('a subject works on so many requests at once, further ones wait in their order, and too many are refused', async () => {
  const gate = openWorkGate(2, 2)
  const order: string[] = []
  const [first, second] = [await gate.enter('a'), await gate.enter('a')]
  const waiting = ['third', 'fourth'].map(async (name) => {
    const leave = await gate.enter('a')
    order.push(name)
    return leave
  })
  expect(await gate.enter('a')).toBeNull()
  expect(order).toEqual([])
  first!()
  const third = await waiting[0]
  expect(order).toEqual(['third'])
  third!()
  const fourth = await waiting[1]
  second!()
  fourth!()
  expect(await gate.enter('a')).not.toBeNull()
})

test('subjects do not wait for each other', async () => {
  const gate = openWorkGate(1, 0)
  expect(await gate.enter('a')).not.toBeNull()
  expect(await gate.enter('b')).not.toBeNull()
  expect(await gate.enter('a')).toBeNull()
})
