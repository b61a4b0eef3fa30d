import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '../../addons/web/client/net/errors.ts'
import type { Rpc } from '../../addons/web/client/net/rpc.ts'
import { createPreferences } from '../../addons/web/client/store/preferences.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A server that writes down what it is asked. */
function openServer(answer: (method: string, args: readonly unknown[]) => unknown = () => 9) {
  const calls: unknown[] = []
  const call = async (_model: string, method: string, args: readonly unknown[]) => {
    calls.push([method, ...args])
    return answer(method, args)
  }
  const errors: unknown[] = []
  const open = (known: Parameters<typeof createPreferences>[1] = []) =>
    createPreferences({ call } as unknown as Rpc, known, (error) => errors.push(error))
  return { calls, errors, open }
}

test('what changes with every move of a pointer is sent once, when it rests', async () => {
  const { calls, open } = openServer()
  const preferences = open()
  for (const width of [100, 110, 120]) preferences.set('list/7', { width })
  expect(preferences.get('list/7')).toEqual({ width: 120 })
  await vi.runAllTimersAsync()
  preferences.set('list/7', { width: 90 })
  preferences.flush()
  await vi.runAllTimersAsync()
  expect(calls).toEqual([
    ['create', { key: 'list/7', value: { width: 120 } }],
    ['write', [9], { value: { width: 90 } }],
  ])
})

test('what came with the page is known, written in place, and forgotten on demand', async () => {
  const { calls, open } = openServer()
  const preferences = open([{ id: 4, key: 'list/7', value: { width: 80 } }])
  expect(preferences.get('list/7')).toEqual({ width: 80 })
  preferences.set('list/7', null)
  await vi.runAllTimersAsync()
  expect(preferences.get('list/7')).toBeNull()
  preferences.set('list/7', null)
  await vi.runAllTimersAsync()
  expect(calls).toEqual([['unlink', [4]]])
})

test('a record that another browser made or removed meanwhile is looked up, and saved all the same', async () => {
  const made = openServer((method) => {
    if (method === 'create') throw new CallError('CONFLICT', 'Taken.')
    return method === 'search_read' ? [{ id: 12 }] : true
  })
  made.open().set('list/7', 1)
  await vi.runAllTimersAsync()
  expect(made.calls.at(-1)).toEqual(['write', [12], { value: 1 }])
  const removed = openServer((method) => {
    if (method === 'write') throw new CallError('NOT_FOUND', 'Gone.')
    return method === 'search_read' ? [] : 13
  })
  removed.open([{ id: 4, key: 'list/7', value: 0 }]).set('list/7', 1)
  await vi.runAllTimersAsync()
  expect(removed.calls.at(-1)).toEqual(['create', { key: 'list/7', value: 1 }])
  expect([...made.errors, ...removed.errors]).toEqual([])
})

test('a refusal is shown, and later changes are sent again', async () => {
  let isDown = true
  const { calls, errors, open } = openServer(() => {
    if (isDown) throw new CallError('UNAVAILABLE', 'Not now.')
    return 9
  })
  const preferences = open()
  preferences.set('a', 1)
  await vi.runAllTimersAsync()
  expect(errors).toHaveLength(1)
  isDown = false
  preferences.set('a', 2)
  await vi.runAllTimersAsync()
  expect(calls.at(-1)).toEqual(['create', { key: 'a', value: 2 }])
})
