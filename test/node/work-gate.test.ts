import { expect, test } from 'vitest'
import { openFileGate, openWorkGate } from '../../runtime/work-gate.ts'

test('a subject has a limited number of requests at work, further ones wait in order, and too many are refused', async () => {
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

test('a request that waits too long is refused and keeps no place', async () => {
  const gate = openWorkGate(1, 1, 5)
  const leave = await gate.enter('a')
  expect(await gate.enter('a')).toBeNull()
  leave!()
  expect(await gate.enter('a')).not.toBeNull()
})

test('a request that stops waiting gives up its place', async () => {
  const gate = openWorkGate(1, 1)
  const leave = await gate.enter('a')
  const leaving = new AbortController()
  const { signal } = leaving
  const waiting = gate.enter('a', { signal })
  expect(await gate.enter('a')).toBeNull()
  leaving.abort()
  expect(await waiting).toBeNull()
  const next = gate.enter('a')
  leave!()
  expect(await next).not.toBeNull()
  expect(await gate.enter('a', { signal })).toBeNull()
})

test('exports of a user who does not read them do not block those of other users', async () => {
  const gate = openFileGate(1, 5)
  const leave = await gate.enter('slow')
  expect(await gate.enter('other')).toBeNull()
  leave!()
  expect(await gate.enter('other')).not.toBeNull()
})

test('as many are asked to leave a place as wait for one', async () => {
  const gate = openFileGate(2, 60_000)
  const [first, second] = [await gate.enter('a'), await gate.enter('b')]
  expect(gate.isNeeded!()).toBe(false)
  const third = gate.enter('c')
  await Promise.resolve()
  expect([gate.isNeeded!(), gate.isNeeded!()]).toEqual([true, false])
  first!()
  expect(await third).not.toBeNull()
  expect(gate.isNeeded!()).toBe(false)
  second!()
})
