import { effect } from '@preact/signals'
import { describe, expect, test } from 'vitest'
import { holds } from '../../addons/web/client/core/expression.ts'
import { fields, findField } from '../../addons/web/client/core/registries.ts'
import { createRegistry } from '../../addons/web/client/core/registry.ts'
import { createAppearance } from '../../addons/web/client/core/theme.ts'
import { CallError, explain, missingFields } from '../../addons/web/client/net/errors.ts'
import { hueOf, initialsOf } from '../../addons/web/client/ui/avatar.tsx'
import { nextIndex } from '../../addons/web/client/ui/menu.tsx'

describe('a registry', () => {
  test('keeps its order, and a name that is taken is replaced', () => {
    const registry = createRegistry<string>()
    registry.add('b', 'second')
    registry.add('a', 'first', 10)
    registry.add('c', 'third')
    registry.add('b', 'better')
    expect(registry.entries()).toEqual([
      ['a', 'first'],
      ['c', 'third'],
      ['b', 'better'],
    ])
    expect([registry.get('b'), registry.get('x'), registry.first(['x', 'c', 'a'])]).toEqual([
      'better',
      undefined,
      'third',
    ])
  })

  test('notifies its readers about new entries', () => {
    const registry = createRegistry<number>()
    const seen: (number | undefined)[] = []
    effect(() => void seen.push(registry.get('late')))
    registry.add('late', 1)
    expect(seen).toEqual([undefined, 1])
  })

  test('of fields finds the most particular widget', () => {
    const widget = (name: string) => ({ Widget: Object.assign(() => null, { displayName: name }) })
    const all = Object.fromEntries(['char', 'form.char', 'badge', 'list.badge'].map((name) => [name, widget(name)]))
    for (const [name, entry] of Object.entries(all)) fields.add(name, entry)
    expect(findField('list', 'selection', 'badge')).toBe(all['list.badge'])
    expect(findField('form', 'selection', 'badge')).toBe(all['badge'])
    expect(findField('form', 'char', 'unknown')).toBe(all['form.char'])
    expect(findField('kanban', 'char')).toBe(all['char'])
    expect(findField('kanban', 'no such type')).toBe(all['char'])
  })
})

describe('theme and density', () => {
  const open = (kept: Record<string, string> = {}) => {
    const root = { dataset: {} as DOMStringMap }
    const storage = {
      getItem: (key: string) => kept[key] ?? null,
      setItem: (key: string, value: string) => Object.assign(kept, { [key]: value }),
    }
    return { kept, root, appearance: createAppearance({ storage, root }) }
  }

  test('are remembered, and on the root for the tokens', () => {
    const { kept, root, appearance } = open({ 'modulus.theme': 'dark' })
    expect(root.dataset).toEqual({ theme: 'dark' })
    appearance.theme.value = 'system'
    appearance.density.value = 'compact'
    expect(root.dataset).toEqual({ density: 'compact' })
    expect(kept).toEqual({ 'modulus.theme': 'system', 'modulus.density': 'compact' })
  })

  test('that are unknown are ignored', () => {
    expect(open({ 'modulus.theme': 'neon' }).appearance.theme.value).toBe('system')
  })
})

describe('errors', () => {
  test('are one heading and one sentence, and say whether to try again', () => {
    expect(explain(new CallError('ACCESS_DENIED', 'You may not delete orders.', { requestId: 'r1' }))).toEqual({
      title: 'You are not allowed to do this',
      text: 'You may not delete orders.',
      requestId: 'r1',
      retry: false,
    })
    expect(explain(new CallError('UNAVAILABLE', 'Busy.'))).toMatchObject({ retry: true })
    expect(explain(new TypeError('x is undefined'))).toMatchObject({ title: 'Something went wrong', requestId: null })
  })

  test('of our own check for required fields have the code of the interface', () => {
    expect(missingFields({ name: 'Name is required.' })).toMatchObject({
      code: 'validation',
      fields: { name: 'Name is required.' },
    })
  })

  test('that are unexpected carry the request id of the server', () => {
    expect(new CallError('INTERNAL', 'x', { requestId: 'ours', details: { request_id: 'theirs' } }).requestId).toBe(
      'theirs',
    )
  })
})

test('conditions of views hold or not, and what cannot be read does not', () => {
  const scope = { values: { state: 'draft', partner_id: [3, 'Ada'] }, uid: 1, today: '2026-11-15' }
  expect(holds("state == 'draft' and partner_id == 3", scope)).toBe(true)
  expect([
    holds("state != 'draft'", scope),
    holds(undefined, scope),
    holds('', scope),
    holds('state ===', scope),
  ]).toEqual([false, false, false, false])
})

test('a person has initials and a colour', () => {
  expect([initialsOf('Mara Lindqvist'), initialsOf('admin'), initialsOf('  Ana de la Cruz '), initialsOf('')]).toEqual([
    'ML',
    'A',
    'AC',
    '',
  ])
  expect([hueOf(3), hueOf(11), hueOf(-1)]).toEqual(['3', '3', '7'])
})

test('arrows go round, Home and End to the ends', () => {
  expect([
    nextIndex('ArrowDown', 2, 3),
    nextIndex('ArrowUp', 0, 3),
    nextIndex('ArrowUp', -1, 3),
    nextIndex('End', 0, 3),
    nextIndex('x', 0, 3),
    nextIndex('Home', 0, 0),
  ]).toEqual([0, 2, 2, 2, null, null])
})
