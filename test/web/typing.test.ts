import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchTyping } from '../../addons/web/client/views/form/live/typing.ts'

/** A place of the page: the box for a message, or a field of the sheet. */
class Place extends EventTarget {
  readonly dataset = { field: 'city' }
  readonly #selector: string

  constructor(selector: string) {
    super()
    this.#selector = selector
  }

  closest(selector: string): Place | null {
    return selector === this.#selector ? this : null
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('Element', Place)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const happen = (type: string, values: object) => document.dispatchEvent(Object.assign(new Event(type), values))
const type = (target: Place) =>
  document.dispatchEvent(Object.defineProperty(new Event('input'), 'target', { value: target }))

function watch() {
  const said: (string | undefined)[] = []
  const stop = watchTyping((doing) => said.push(doing))
  return { said, stop }
}

test('typing in a field or the box for a message ends after four seconds without a key', () => {
  const { said, stop } = watch()
  const city = new Place('[data-field-id]')
  type(city)
  vi.advanceTimersByTime(3_000)
  type(city)
  vi.advanceTimersByTime(3_999)
  expect(said).toEqual(['city'])
  type(new Place('.chatter'))
  vi.advanceTimersByTime(4_000)
  expect(said).toEqual(['city', '@writing', undefined])
  stop()
})

test('keys that send or save end it at once, though the box keeps the focus, and others do not', () => {
  const { said, stop } = watch()
  type(new Place('.chatter'))
  happen('keydown', { key: 'a', ctrlKey: false, metaKey: false })
  expect(said).toEqual(['@writing'])
  happen('keydown', { key: 'Enter', ctrlKey: true, metaKey: false })
  expect(said).toEqual(['@writing', undefined])
  stop()
})
