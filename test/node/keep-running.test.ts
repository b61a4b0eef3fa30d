import { expect, test } from 'vitest'
import { keepRunning } from '../../runtime/node/embedded/keep-running.ts'

test('a death, each reason why it cannot be started, and the restart are reported once', async () => {
  const said: string[] = []
  const kept = { isThere: false, why: 'process 41 found no space left', tries: 0 }
  const stop = keepRunning('The server', {
    isRunning: async () => kept.isThere,
    async restart() {
      kept.tries++
      if (kept.tries === 1) throw new Error(kept.why)
      if (kept.tries === 2) throw new Error(kept.why.replace('41', '42'))
      kept.isThere = true
    },
    log: (text) => void said.push(text),
  })
  await expect.poll(() => kept.isThere).toBe(true)
  await stop()
  expect(said).toEqual([
    'The server has died and is started again.',
    'The server could not be started: process 41 found no space left. It is tried again until it runs.',
    'The server runs again.',
  ])
})
