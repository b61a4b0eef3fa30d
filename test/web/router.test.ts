import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followTrail, leadOf } from '../../addons/web/client/router/breadcrumbs.ts'
import {
  changeRoute,
  formatRoute,
  orderOf,
  parseRoute,
  type RouteParams,
} from '../../addons/web/client/router/codec.ts'
import { createRouter, type RouterPorts } from '../../addons/web/client/router/router.ts'

describe('addresses', () => {
  test('sort in the words of an order', () => {
    expect([orderOf('name'), orderOf('-name')]).toEqual(['name', 'name desc'])
  })

  test('are exactly the parameters of the interface', () => {
    const address =
      '/web?action=5&menu_id=12&view_type=form&id=7&edit=1&filter=open,mine&sort=-name&offset=80&q=ada+l#group=stage_id'
    expect(parseRoute(address)).toEqual({
      path: '/web',
      params: {
        action: 5,
        menu_id: '12',
        view_type: 'form',
        id: 7,
        edit: true,
        filter: ['open', 'mine'],
        sort: '-name',
        offset: 80,
        q: 'ada l',
      },
      state: { group: 'stage_id' },
      extra: {},
    })
  })

  test('with values that mean nothing read as without them', () => {
    const address = '/web?action=x&id=-3&edit=yes&offset=1e3&sort=&q='
    expect(parseRoute(address).params).toEqual({})
    expect(parseRoute('/web?id=99999999999999999999').params).toEqual({})
  })

  test('distinguish an empty filter from the filters of the action', () => {
    expect([parseRoute('/web?filter=').params.filter, parseRoute('/web').params.filter]).toEqual([[], undefined])
    expect(formatRoute(changeRoute(parseRoute('/web?action=1&filter=mine'), { filter: [] }))).toBe(
      '/web?action=1&filter=',
    )
  })

  test('keep parameters of others', () => {
    expect(formatRoute(parseRoute('/web?model=m&msg=imported_3_updated_0_skipped_0'))).toBe(
      '/web?model=m&msg=imported_3_updated_0_skipped_0',
    )
  })

  test('are changed by parts, and a part that is taken away is gone', () => {
    const route = parseRoute('/web?action=1&offset=80&q=x#group=a')
    expect(formatRoute(changeRoute(route, { q: 'y', offset: undefined }, { group: undefined, kind: 'bar' }))).toBe(
      '/web?action=1&q=y#kind=bar',
    )
  })

  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const name = fc.string({ minLength: 1, maxLength: 8 }).filter((value) => !value.includes(','))
  const id = fc.integer({ min: 1, max: 2 ** 31 })
  const params: fc.Arbitrary<RouteParams> = fc.record(
    {
      action: id,
      menu_id: text,
      view_type: text,
      id,
      edit: fc.constant(true),
      model: text,
      filter: fc.array(name, { maxLength: 4 }),
      sort: text,
      offset: id,
      q: text,
    },
    { requiredKeys: [] },
  )

  test('lead back to the same place, whatever is in them', () => {
    fc.assert(
      fc.property(params, fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), text), (each, state) => {
        const route = { path: '/web', params: each, state, extra: {} }
        const back = parseRoute(formatRoute(route))
        expect(back.params).toEqual(each)
        expect({ ...back.state }).toEqual({ ...state })
        expect(formatRoute(back)).toBe(formatRoute(route))
      }),
    )
  })
})

/** A browser's history and location in memory. */
function browser(start: string) {
  const entries: { url: string; state: unknown }[] = [{ url: start, state: null }]
  let at = 0
  const listeners = new Map<string, ((event: Event) => void)[]>()
  const url = () => new URL(entries[at]!.url, 'http://host')
  const assigned: string[] = []
  const restored: unknown[] = []
  const ports: RouterPorts = {
    location: {
      get pathname() {
        return url().pathname
      },
      get search() {
        return url().search
      },
      get hash() {
        return url().hash
      },
      origin: 'http://host',
      assign: (href) => void assigned.push(String(href)),
    },
    history: {
      get state() {
        return entries[at]!.state
      },
      pushState(state, _, href) {
        entries.splice(++at, entries.length, { url: String(href), state })
      },
      replaceState(state, _, href) {
        entries[at] = { url: href == null ? entries[at]!.url : String(href), state }
      },
      go(delta = 0) {
        at += delta
        queueMicrotask(() => fire('popstate'))
      },
    },
    addEventListener: (type, listener) => void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    capture: () => ({ scroll: { list: 120 }, focus: 'row-3' }),
    restore: (spot) => void restored.push(spot),
    focus() {},
  }
  const fire = (type: string, event = new Event(type, { cancelable: true })) => {
    for (const listener of listeners.get(type) ?? []) listener(event)
    return event
  }
  // A navigation is only microtasks here, and all of them have run by the next turn of the loop.
  const settled = () => nextTurn()
  return { ports, entries, assigned, restored, fire, settled, url: () => entries[at]!.url }
}

describe('the router', () => {
  const open = (start = '/web?action=1') => {
    const tab = browser(start)
    return { tab, router: createRouter(tab.ports, (path) => path === '/web') }
  }

  test('goes forward and back, and back restores the position', async () => {
    const { tab, router } = open()
    await router.go('/web?action=2')
    expect(router.route.value.params.action).toBe(2)
    tab.ports.history.go(-1)
    await tab.settled()
    expect(router.route.value.params.action).toBe(1)
    router.settle()
    expect(tab.restored).toEqual([{ scroll: { list: 120 }, focus: 'row-3' }])
  })

  test('leaves the page for addresses that are not the client’s', async () => {
    const { tab, router } = open()
    await router.go('/web/logout')
    await router.go('https://elsewhere.example/')
    expect(tab.assigned).toEqual(['/web/logout', 'https://elsewhere.example/'])
    expect(router.route.value.params.action).toBe(1)
  })

  test('asks before something unsaved is left, by a link or by the back button', async () => {
    const { tab, router } = open()
    await router.go('/web?action=2')
    let isDirty = true
    let answer = false
    router.guards.add(
      () => answer,
      () => isDirty,
    )
    expect(await router.go('/web?action=3')).toBe(false)
    tab.ports.history.go(-1)
    await tab.settled()
    expect([router.route.value.params.action, tab.url()]).toEqual([2, '/web?action=2'])
    answer = true
    tab.ports.history.go(-1)
    await tab.settled()
    expect(router.route.value.params.action).toBe(1)
    isDirty = false
    expect(await router.go('/web?action=3')).toBe(true)
  })

  test('lets the browser ask before the page is closed, only when something is unsaved', () => {
    const { tab, router } = open()
    expect(tab.fire('beforeunload').defaultPrevented).toBe(false)
    router.guards.add(
      () => true,
      () => true,
    )
    expect(tab.fire('beforeunload').defaultPrevented).toBe(true)
  })

  test('a replaced address makes no step of the history', async () => {
    const { tab, router } = open()
    await router.go('/web?action=1&offset=80', { replace: true })
    expect(tab.entries).toHaveLength(1)
    expect(router.route.value.params.offset).toBe(80)
  })

  test('remembers the way one came, and a menu starts a new one', async () => {
    const { router } = open('/web?action=1&q=ada')
    router.title.value = 'Orders'
    router.lead.value = [{ label: 'Sales', href: '/web?action=9' }]
    await router.go('/web?action=1&view_type=form&id=7')
    expect(router.trail.value.map(({ label }) => label)).toEqual(['Sales', 'Orders'])
    expect(router.trail.value[1]?.href).toBe('/web?action=1&q=ada')
    await router.go('/web?action=12', { isRoot: true })
    expect(router.trail.value).toEqual([])
  })
})

describe('breadcrumbs', () => {
  const list = { label: 'Orders', href: '/web?action=1&offset=80' }
  const order = { label: 'S1', href: '/web?action=1&view_type=form&id=1' }

  test('end where a place is met again', () => {
    const trail = [list, order]
    expect(followTrail(trail, { label: 'Ada', href: '/web?model=p&id=2' }, '/web?action=1&q=x')).toEqual([])
    expect(followTrail(trail, null, '/web?action=1&view_type=form&id=1&edit=1')).toEqual([list])
  })

  test('do not grow by another kind of view of the same records', () => {
    expect(followTrail([], list, '/web?action=1&view_type=kanban')).toEqual([])
  })

  test('begin with those of the server', () => {
    const own = [
      { label: 'Sales', href: '/web?action=9' },
      { label: 'Orders', href: '/web?action=1' },
      { label: 'S1', href: null },
    ]
    expect(leadOf(own)).toEqual(own.slice(0, 2))
  })
})
