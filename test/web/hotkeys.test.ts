import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ariaKeys, capsOf, createHotkeys, hotkeyOf } from '../../addons/web/client/core/hotkeys.ts'
import { spokenKeys } from '../../addons/web/client/shell/palette/spoken-keys.ts'

class FakeElement {
  isContentEditable = false
  type = 'text'
}

const names = ['HTMLElement', 'HTMLInputElement', 'HTMLTextAreaElement', 'HTMLSelectElement'] as const

beforeAll(() => {
  for (const name of names)
    Object.assign(globalThis, {
      [name]: name.startsWith('HTMLE') || name === 'HTMLInputElement' ? FakeElement : class {},
    })
})
afterAll(() => {
  for (const name of names) Reflect.deleteProperty(globalThis, name)
  vi.unstubAllGlobals()
})

const press = (key: string, more: object = {}) => {
  let isPrevented = false
  return Object.assign(
    {
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      isComposing: false,
      target: null,
      defaultPrevented: false,
      preventDefault: () => {
        isPrevented = true
      },
      wasPrevented: () => isPrevented,
    },
    more,
    // Only these members are read.
  ) as unknown as KeyboardEvent & { wasPrevented(): boolean }
}

describe('keys', () => {
  const setUp = () => {
    let now = 0
    const keys = createHotkeys(() => now)
    const ran: string[] = []
    const on = (combination: string, more: object = {}) =>
      keys.add({ keys: combination, label: combination, run: () => void ran.push(combination), ...more })
    return { keys, ran, on, wait: (ms: number) => (now += ms) }
  }

  test('run the handler registered last, and pass on keys it refuses', () => {
    const { keys, ran, on } = setUp()
    on('mod+s')
    const remove = on('mod+s', { run: () => void ran.push('newer') })
    on('mod+s', { run: () => false })
    const event = press('s', { ctrlKey: true })
    keys.handle(event)
    expect([ran, event.wasPrevented()]).toEqual([['newer'], true])
    remove()
    keys.handle(press('s', { metaKey: true }))
    expect(ran).toEqual(['newer', 'mod+s'])
  })

  test('leave typing alone, but not Ctrl+S and Escape', () => {
    const { keys, ran, on } = setUp()
    for (const each of ['n', '/', 'mod+s', 'escape']) on(each)
    const target = new FakeElement()
    for (const [key, more] of [
      ['n', {}],
      ['/', {}],
      ['s', { ctrlKey: true }],
      ['Escape', {}],
    ] as const)
      keys.handle(press(key, { ...more, target }))
    expect(ran).toEqual(['mod+s', 'escape'])
  })

  test('of the browser cannot be taken', () => {
    const { keys, on } = setUp()
    expect(() => on('mod+r')).toThrow()
    const event = press('r', { ctrlKey: true })
    keys.handle(event)
    expect(event.wasPrevented()).toBe(false)
  })

  test('pressed one after the other are a sequence, if not too slowly', () => {
    const { keys, ran, on, wait } = setUp()
    on('g h')
    keys.handle(press('g'))
    keys.handle(press('h'))
    expect(ran).toEqual(['g h'])
    keys.handle(press('g'))
    wait(2_000)
    keys.handle(press('h'))
    expect(ran).toEqual(['g h'])
  })

  test('below a dialog rest until it is closed', () => {
    const { keys, ran, on } = setUp()
    on('n')
    const leave = keys.enterLayer()
    on('escape')
    keys.handle(press('n'))
    expect([ran, keys.list().map((each) => each.keys)]).toEqual([[], ['escape']])
    leave()
    keys.handle(press('n'))
    expect(ran).toEqual(['n'])
  })
})

test('a key has a name, caps and a text for assistive technology', () => {
  expect([
    hotkeyOf(press('?', { shiftKey: true })),
    hotkeyOf(press('K', { ctrlKey: true, shiftKey: true })),
    hotkeyOf(press('Shift')),
  ]).toEqual(['?', 'mod+shift+k', null])
  expect([capsOf('mod+k', false), capsOf('mod+enter', true), capsOf('g h', false)]).toEqual([
    ['Ctrl', 'K'],
    ['⌘', '↵'],
    ['G', 'H'],
  ])
  expect([ariaKeys('mod+shift+k'), ariaKeys('g h')]).toEqual(['Control+Shift+K', 'G H'])
})

test('keys are spoken in words, not as they are written in the sources', () => {
  vi.stubGlobal('navigator', { platform: 'Linux' })
  expect(['mod+k', 'g h', 'alt+arrowdown', '?', 'shift+enter'].map(spokenKeys)).toEqual([
    'Ctrl K',
    'G H',
    'Alt Arrow down',
    'Question mark',
    'Shift Enter',
  ])
})
