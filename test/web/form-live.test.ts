import { signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Bus, createBus } from '../../addons/web/client/net/bus.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords, type RecordStore } from '../../addons/web/client/store/records.ts'
import { followForm } from '../../addons/web/client/views/form/live/follow-form.ts'
import type { FormModel } from '../../addons/web/client/views/form/model/model.ts'
import { settled } from './fake-clock.ts'

const ME = 7
const LINES = { name: 'line_ids', type: 'one2many', label: 'Lines', relation: 'shop.line' }

let bus: Bus
let records: RecordStore
let asked: (readonly unknown[])[]
let reload: ReturnType<typeof vi.fn>
/** Who saved the record last, as the server says. */
let writer: number

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  bus = createBus()
  records = createRecords()
  asked = []
  reload = vi.fn()
  writer = 2
  const rpc = {
    read: async (model: string, ids: readonly number[], fields: readonly string[]) => {
      asked.push([model, ids, fields])
      return ids.map((id) => ({ id, name: 'New', line_ids: [5], version: 2, write_uid: [writer, 'Ann'] }))
    },
  }
  const session = { bootstrap: { user: { id: ME } } }
  provideServices({ bus, rpc, records, session, currentView: { reload } } as unknown as ClientServices)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function follow() {
  const [entry] = records.put('shop.order', [{ id: 3, name: 'Old', city: 'X', line_ids: [], version: 1 }])
  const form = {
    id: 3,
    entry,
    draft: { model: 'shop.order' },
    arch: { fields: new Map([['line_ids', LINES]]) },
    workspace: { arch: { related: {} } },
    readFields: ['name', 'line_ids', 'version'],
    isDirty: signal(false),
    recent: signal(new Set()),
  } as unknown as FormModel
  return { form, stop: followForm(form) }
}

const change = (values: object, isRemote = true) => records.put('shop.order', [{ id: 3, ...values }], { isRemote })
const say = (channel: string, payload: object) => {
  bus.deliver([{ channel, payload }])
  return settled()
}

describe('a form', () => {
  test('marks the fields that others changed, for a moment', () => {
    const { form, stop } = follow()
    change({ name: 'Mine', version: 2 }, false)
    expect(form.recent.value.size).toBe(0)
    change({ city: 'Y', version: 3 })
    expect(form.recent.value).toEqual(new Set(['city', 'version']))
    vi.advanceTimersByTime(700)
    expect(form.recent.value.size).toBe(0)
    stop()
    change({ city: 'Z', version: 4 })
    expect(form.recent.value.size).toBe(0)
  })

  test('has its new name in the breadcrumbs, but not while the user edits it', () => {
    const { form } = follow()
    change({ display_name: 'Other' })
    expect(reload).toHaveBeenCalledOnce()
    Object.assign(form, { isDirty: signal(true) })
    change({ display_name: 'Another' })
    expect(reload).toHaveBeenCalledOnce()
  })

  test('is read again when lines were added or removed, or events were missed', async () => {
    const { form } = follow()
    await say('record.updated', { model: 'shop.line', id: 5 })
    await say('record.created', { model: 'shop.other', id: 5 })
    expect(asked).toEqual([])
    await say('record.created', { model: 'shop.line', id: 5 })
    expect(asked).toEqual([['shop.order', [3], ['name', 'line_ids', 'version', 'write_uid']]])
    expect([form.entry?.values.base.value['line_ids'], form.recent.value.has('line_ids')]).toEqual([[5], true])
    await say('model.changed', { model: 'shop.order' })
    expect(asked).toHaveLength(2)
  })

  test('marks nothing that the user changed elsewhere', async () => {
    const { form } = follow()
    writer = ME
    await say('record.deleted', { model: 'shop.line', id: 4 })
    expect([asked.length, form.recent.value.size]).toEqual([1, 0])
  })
})
