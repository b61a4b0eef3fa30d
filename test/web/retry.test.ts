import { signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError, type ClientErrorCode } from '../../addons/web/client/net/errors.ts'
import { createRetry, retryOn } from '../../addons/web/client/net/retry.ts'
import { endOutage } from '../../addons/web/client/ui/end-outage.ts'
import { showError, shown } from '../../addons/web/client/ui/toasts.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failed = (code: ClientErrorCode, reason?: string) =>
  new CallError(code, 'No.', reason === undefined ? {} : { details: { reason } })

/** Fails with these errors one after the other, then works. */
function failing(...errors: readonly unknown[]) {
  const left = [...errors]
  return vi.fn(async () => {
    if (left.length > 0) throw left.shift()
    return 'saved'
  })
}

describe('a call that is sent again after an outage', () => {
  test('waits after temporary errors, and fails with permanent ones', () => {
    const waits = [
      failed('OFFLINE'),
      failed('UNAVAILABLE'),
      failed('UNAVAILABLE', 'database_away'),
      failed('UNAVAILABLE', 'capacity_exhausted'),
      failed('UNAVAILABLE', 'outcome_unknown'),
      failed('RATE_LIMITED'),
      failed('UNAVAILABLE', 'timed_out'),
      failed('UNAVAILABLE', 'host_lacks'),
      failed('VALIDATION'),
      failed('CONFLICT'),
      failed('INTERNAL'),
      new TypeError('no function'),
    ].map(retryOn)
    expect(waits).toEqual(['connection', ...Array(5).fill('moment'), ...Array(6).fill('never')])
  })

  test('is sent again as soon as the server is reached, however often it goes away', async () => {
    const online = signal(false)
    const run = failing(failed('OFFLINE'), failed('OFFLINE'))
    const outcome = createRetry(online)(run)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(run).toHaveBeenCalledTimes(1)
    online.value = true
    await vi.advanceTimersByTimeAsync(300)
    online.value = false
    await vi.advanceTimersByTimeAsync(300)
    online.value = true
    await vi.advanceTimersByTimeAsync(300)
    expect([await outcome, run.mock.calls.length]).toEqual(['saved', 3])
  })

  test('repeats the call to a busy server every few seconds, until the first permanent refusal', async () => {
    const busy = new CallError('UNAVAILABLE', 'No.', { retryAfter: 60_000 })
    const run = failing(busy, busy, failed('VALIDATION'))
    const outcome = createRetry(signal(true))(run).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(12_000)
    expect([await outcome, run.mock.calls.length]).toMatchObject([{ code: 'VALIDATION' }, 3])
  })

  test('ends when it is called off, in either wait', async () => {
    for (const code of ['OFFLINE', 'UNAVAILABLE'] as const) {
      const stop = new AbortController()
      const online = signal(false)
      const run = failing(failed(code))
      const outcome = createRetry(online)(run, stop.signal).catch((error: Error) => error.name)
      await vi.advanceTimersByTimeAsync(100)
      stop.abort()
      expect(await outcome).toBe('AbortError')
      online.value = true
      await vi.advanceTimersByTimeAsync(60_000)
      expect(run).toHaveBeenCalledTimes(1)
    }
  })
})

test('says that trying again is safe only beside the button that does so', () => {
  shown.value = []
  showError(failed('OFFLINE'))
  showError(failed('OFFLINE'), () => undefined)
  expect(shown.peek().map(({ more, action }) => [more, action?.label])).toEqual([
    ['The server did not answer.', undefined],
    ['The server did not answer. Trying again is safe.', 'Try again'],
  ])
  shown.value = []
})

test('when the connection is back toasts about it close, except those with a retry', () => {
  showError(failed('OFFLINE'))
  showError(failed('OFFLINE'), () => undefined)
  showError(failed('VALIDATION'), () => undefined)
  endOutage()
  expect(shown.peek().map(({ text, action }) => [text, action?.label])).toEqual([
    ['The server did not answer', 'Try again'],
    ['Some values are not valid', undefined],
  ])
})
