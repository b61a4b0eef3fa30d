import { setImmediate as nextTurn } from 'node:timers/promises'
import { signal } from '@preact/signals'
import { describe, expect, test } from 'vitest'
import { pages, views } from '../../addons/web/client/core/registries.ts'
import { createSession } from '../../addons/web/client/core/session.ts'
import { CallError } from '../../addons/web/client/net/errors.ts'
import type { SendOptions, Transport } from '../../addons/web/client/net/transport.ts'
import { parseRoute, type Route } from '../../addons/web/client/router/codec.ts'
import type { Router } from '../../addons/web/client/router/router.ts'
import { createRecords } from '../../addons/web/client/store/records.ts'
import { followRouter } from '../../addons/web/client/views/current-view.ts'
import { View as Placeholder } from '../../addons/web/client/views/placeholder.tsx'
import type { WireBootstrap, WireWorkspace } from '../../kernel/view/wire.ts'

const List = () => null

/** The parts of a workspace that are looked at here. */
const workspace = (viewType: string, title: string) =>
  ({
    viewType,
    model: 'sale.order',
    title,
    csrfToken: `token of ${title}`,
    records: [{ id: 1, name: title }],
    breadcrumbs: [
      { label: 'Sales', href: '/web?action=9' },
      { label: title, href: null },
    ],
  }) as unknown as WireWorkspace

const topMenus = [
  {
    id: 1,
    name: 'Sales',
    href: '/web?action=1',
    children: [
      { id: 2, name: 'Orders', href: '/web?action=1&menu_id=2', children: [] },
      { id: 4, name: 'Customers', href: '/web?action=3&menu_id=4', children: [] },
    ],
  },
]
const apps = [{ module: 'sale', name: 'Sales', menuId: 1, href: '/web?action=1' }]

function open(start: string, openedWith = start.split('?')[1] ?? '') {
  const sent: {
    url: string
    options: SendOptions
    answer: (value: unknown) => void
    fail: (error: unknown) => void
  }[] = []
  const transport: Transport = {
    send: (url, options) =>
      new Promise((resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
        sent.push({ url, options, answer: (json) => resolve({ json, headers: new Headers() }), fail: reject })
      }),
    uniqueId: () => 'id',
  }
  const route = signal<Route>(parseRoute(start))
  const title = signal('')
  const lead = signal<readonly { label: string; href: string }[]>([])
  // The rest of a router is not asked for anything.
  const router = { route, title, lead } as unknown as Router
  const session = createSession({ wcApiBase: '/web/wc', csrfToken: '', topMenus, apps } as unknown as WireBootstrap)
  const records = createRecords()
  const place = followRouter({ session, transport, records, router, openedWith })
  // Loading is only microtasks here, and all of them have run by the next turn of the loop.
  const settled = () => nextTurn()
  return {
    sent,
    route,
    router,
    session,
    place,
    records,
    settled,
    go: (address: string) => (route.value = parseRoute(address)),
  }
}

views.add('list', { load: async () => ({ View: List }) })

describe('what is on screen', () => {
  test('is the workspace of the address, asked for first exactly as the page preloads it', async () => {
    const { sent, place, session, router, settled } = open('/web?view_type=list&action=5', 'view_type=list&action=5')
    expect(place.isLoading.value).toBe(true)
    await settled()
    expect(sent[0]).toMatchObject({ url: '/web/wc/workspace?view_type=list&action=5', options: { plain: true } })
    sent[0]!.answer(workspace('list', 'Orders'))
    await settled()
    expect(place.shown.value).toMatchObject({ kind: 'view', View: List })
    expect([place.isLoading.value, session.csrfToken.value, router.title.value]).toEqual([
      false,
      'token of Orders',
      'Orders',
    ])
    expect(router.lead.value).toEqual([{ label: 'Sales', href: '/web?action=9' }])
  })

  test('has the name and the breadcrumbs of a menu as soon as it is followed, and those of a record when it is there', async () => {
    const { sent, router, go, settled } = open('/web?action=1&menu_id=2')
    expect(router.title.value).toBe('Orders')
    await settled()
    sent[0]!.answer(workspace('list', 'Orders'))
    await settled()
    go('/web?action=3&menu_id=4')
    expect(router.title.value).toBe('Customers')
    expect(router.lead.value).toEqual([{ label: 'Sales', href: '/web?action=1' }])
    await settled()
    sent[1]!.fail(new CallError('OFFLINE', 'No answer'))
    await settled()
    expect(router.title.value).toBe('Customers')
    go('/web?action=1&menu_id=2')
    await settled()
    sent[2]!.answer(workspace('list', 'Orders'))
    await settled()
    go('/web?action=1&menu_id=2&view_type=list&id=7')
    expect(router.title.value).toBe('Orders')
  })

  test('stays until the next view is ready, and an overtaken one is never shown', async () => {
    const { sent, place, go, settled } = open('/web?action=1')
    await settled()
    sent[0]!.answer(workspace('list', 'First'))
    await settled()
    go('/web?action=2')
    await settled()
    go('/web?action=3')
    await settled()
    expect(place.shown.value).toMatchObject({ workspace: { title: 'First' } })
    expect([place.isLoading.value, sent[1]!.options.signal?.aborted, sent[2]!.options.plain]).toEqual([
      true,
      true,
      false,
    ])
    sent[2]!.answer(workspace('list', 'Third'))
    sent[1]!.answer(workspace('list', 'Second'))
    await settled()
    expect(place.shown.value).toMatchObject({ workspace: { title: 'Third' }, route: { params: { action: 3 } } })
  })

  test('gets a new fragment without asking the server', async () => {
    const { sent, place, go, settled } = open('/web?action=1')
    await settled()
    sent[0]!.answer(workspace('list', 'First'))
    await settled()
    go('/web?action=1#group=stage_id')
    await settled()
    expect(sent).toHaveLength(1)
    expect(place.shown.value?.route.state).toEqual({ group: 'stage_id' })
  })

  test('is an error that can be tried again', async () => {
    const { sent, place, settled } = open('/web?action=1')
    await settled()
    sent[0]!.fail(new CallError('UNAVAILABLE', 'Busy.'))
    await settled()
    expect(place.error.value).toMatchObject({ code: 'UNAVAILABLE' })
    void place.reload()
    await settled()
    sent[1]!.answer(workspace('list', 'Orders'))
    await settled()
    expect([place.error.value, place.shown.value?.kind]).toEqual([null, 'view'])
  })

  test('is a placeholder for a kind of view that nothing draws', async () => {
    const { sent, place, settled } = open('/web?action=1&view_type=cohort')
    await settled()
    sent[0]!.answer(workspace('cohort', 'Orders'))
    await settled()
    expect(place.shown.value).toMatchObject({ View: Placeholder })
  })

  test('is the kind of view the server chose, whatever the address asked for', async () => {
    const { sent, place, settled } = open('/web?action=1&view_type=cohort')
    await settled()
    sent[0]!.answer(workspace('list', 'Orders'))
    await settled()
    expect(place.shown.value).toMatchObject({ View: List })
  })

  test('is a page where one is registered', async () => {
    const Page = () => null
    pages.add('/web/home', { title: 'Home', load: async () => ({ Page }) })
    const { sent, place, router, settled } = open('/web/home')
    await settled()
    expect(place.shown.value).toMatchObject({ kind: 'page', Page })
    expect([sent.length, router.title.value]).toEqual([0, 'Home'])
  })
})
