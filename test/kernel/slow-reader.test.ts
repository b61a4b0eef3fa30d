import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { send } from '../../kernel/exchange/export/stream-export.ts'

const PART = new Uint8Array(1_000_000)

/** Sends parts to a reader who takes `takes` of them and then stops; returns after how many seconds its slot is free again. */
async function secondsUntilCut(takes: number, isNeeded: boolean): Promise<number> {
  let seconds = 0
  let tick: (() => void) | undefined
  const services = {
    timer: (ms: number, run: () => void) => {
      expect(ms).toBe(1_000)
      tick = run
      return () => {
        tick = undefined
      }
    },
    exportGate: { enter: async () => null, isNeeded: () => isNeeded },
  }
  const parts = (async function* () {
    for (;;) yield PART
  })()
  let isCut = false
  const body = await new Promise<ReadableStream<Uint8Array>>((resolve) => {
    const request = { signal: new AbortController().signal }
    send({ done: false, value: PART }, parts, { request, services }, resolve).catch(() => {
      isCut = true
    })
  })
  const reader = body.getReader()
  for (let i = 0; i < takes; i++) await reader.read()
  await nextTurn()
  while (!isCut) {
    seconds++
    tick!()
    await nextTurn()
  }
  return seconds
}

test('a reader who stops is cut after 20 seconds', async () => {
  expect(await secondsUntilCut(1, false)).toBe(20)
})

test('while others wait it is cut once it took more than 5 seconds and a quarter of a megabyte a second', async () => {
  expect(await secondsUntilCut(0, true)).toBe(9)
  expect(await secondsUntilCut(2, true)).toBe(17)
})
