import { expect, test } from 'vitest'
import { tryWhileLoopIsBusy } from '../../runtime/postgres/loop-time.ts'

const WAIT_MS = 20

/** Keeps the event loop from everything else for longer than an attempt may take. */
const compute = () => {
  const end = performance.now() + 2 * WAIT_MS
  while (performance.now() < end);
}

/** The attempts in their order, and the last one again and again: more than a few would never end. */
function attempts(...acts: readonly (() => Promise<string>)[]) {
  let count = 0
  return async () => {
    count++
    return count > 100 ? 'tried without end' : acts[Math.min(count, acts.length) - 1]!()
  }
}

const late = async () => {
  compute()
  throw new Error('late')
}

test('what fails late while the event loop is busy is tried again', async () => {
  const attempt = attempts(late, async () => 'there')
  expect(await tryWhileLoopIsBusy(WAIT_MS, attempt)).toBe('there')
})

test('what then fails at once, such as a pool that has been closed, is not tried again', async () => {
  const attempt = attempts(late, () => Promise.reject(new Error('closed')))
  await expect(tryWhileLoopIsBusy(WAIT_MS, attempt)).rejects.toThrow('closed')
})
