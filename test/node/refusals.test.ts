import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unavailable } from '../../kernel/errors.ts'
import type { Observation } from '../../kernel/observation.ts'
import { gatherRefusals } from '../../runtime/node/database/refusals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const logged: Observation[] = []
  const refusals = gatherRefusals((observation) => logged.push(observation))
  const refuse = (error: Error, times = 1) => {
    for (let n = 0; n < times; n++) refusals.observe({ kind: 'failure', requestId: `r${n}`, error })
  }
  const texts = () => logged.splice(0).map((entry) => (entry.kind === 'warning' ? entry.text : entry.kind))
  return { refusals, refuse, texts }
}

const busy = unavailable('busy', 'The service is busy.', 1, new Error('All connections were in use.'))
const full = unavailable('capacity_exhausted', 'The disk is full.', 5)

test('many refusals for one reason are one line at first and one every ten seconds, with their number', () => {
  const { refuse, texts } = open()
  refuse(busy, 200)
  expect(texts()).toEqual(['failure'])
  vi.advanceTimersByTime(10_000)
  expect(texts()).toEqual(['The same 199 times more: All connections were in use.'])
  refuse(busy)
  expect(texts()).toEqual([])
  vi.advanceTimersByTime(10_000)
  expect(texts()).toEqual(['The same once more: All connections were in use.'])
  vi.advanceTimersByTime(20_000)
  refuse(busy)
  expect(texts()).toEqual(['failure'])
})

test('another reason is logged at once, and internal errors always', () => {
  const { refuse, texts } = open()
  refuse(busy)
  refuse(full, 3)
  refuse(new Error('a fault of ours'), 3)
  expect(texts()).toEqual(['failure', 'failure', 'failure', 'failure', 'failure'])
})

test('closing logs the refusals counted so far', () => {
  const { refusals, refuse, texts } = open()
  refuse(busy, 3)
  refuse(full)
  refusals.close()
  expect(texts()).toEqual(['failure', 'failure', 'The same 2 times more: All connections were in use.'])
  vi.advanceTimersByTime(60_000)
  expect(texts()).toEqual([])
})
