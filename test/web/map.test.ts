import { expect, test } from 'vitest'
import { createBus } from '../../addons/web/client/net/bus.ts'
import { parseRoute } from '../../addons/web/client/router/codec.ts'
import { searchOf } from '../../addons/web/client/search/query/search-model.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords } from '../../addons/web/client/store/records.ts'
import { createMapModel } from '../../addons/web/client/views/map/model/places.ts'
import type { WireWorkspace } from '../../kernel/view/wire.ts'

const field = (name: string) => ({ name, type: 'float', label: name })

const workspace = {
  model: 'crm.lead',
  domain: [],
  searchDomain: [],
  listSort: '',
  listTotal: 2,
  records: [
    { id: 1, revenue: 10, lat: 50, lng: 10 },
    { id: 2, revenue: 20, lat: -30, lng: 120 },
  ],
  arch: {
    model: 'crm.lead',
    fields: [field('revenue'), field('lat'), field('lng')],
    related: {},
    access: {},
    root: { tag: 'map', attrs: { latitude: 'lat', longitude: 'lng' }, children: [] },
  },
  search: { fields: [], filters: [], panel: [], defaultFilters: [], defaultValues: {}, grouped: [] },
} as unknown as WireWorkspace

test('a change that moves no record leaves the pins, the clusters and the list of a map as they are', () => {
  const records = createRecords()
  const services = { bus: createBus(), records, rpc: {}, session: { bootstrap: { user: { id: 1 } } } }
  provideServices(services as unknown as ClientServices)
  const route = parseRoute('/web?model=crm.lead&view_type=map')
  const places = createMapModel(workspace)
  places.take(workspace, searchOf(workspace, route), route)
  const read = () => [places.pins.value, places.clusters.value, places.inView.value] as const
  const before = read()
  expect(before.map(({ length }) => length)).toEqual([2, 2, 2])

  records.put('crm.lead', [{ id: 1, revenue: 11 }], { isRemote: true })
  for (const [index, now] of read().entries()) expect(now).toBe(before[index])

  records.put('crm.lead', [{ id: 1, lat: 51 }], { isRemote: true })
  const moved = read()
  expect(moved[0][0]).not.toEqual(before[0][0])
  expect(moved[0][1]).toBe(before[0][1])
  records.markDeleted('crm.lead', [2])
  expect(places.pins.value.map(({ id }) => id)).toEqual([1])
  places.stop()
})
