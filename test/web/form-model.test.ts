import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fields } from '../../addons/web/client/core/registries.ts'
import type { Rpc } from '../../addons/web/client/net/rpc.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords, type RecordStore } from '../../addons/web/client/store/records.ts'
import { createForm } from '../../addons/web/client/views/form/model/model.ts'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import type { WireWorkspace } from '../../kernel/view/wire.ts'

const node = (tag: string, attrs: Record<string, string> = {}, children: readonly ArchNode[] = []): ArchNode => ({
  tag,
  attrs,
  children,
  addon: 'shop',
})

const ROOT = node('form', {}, [node('field', { name: 'name' }), node('field', { name: 'city' })])

const workspace = (recordId: number, defaults = {}): WireWorkspace =>
  // The parts of a workspace a form is made of.
  ({
    model: 'shop.customer',
    recordId,
    actionId: 1,
    defaults,
    arch: {
      type: 'form',
      model: 'shop.customer',
      root: ROOT,
      related: {},
      access: { create: true, write: true, unlink: true },
      fields: [
        { name: 'name', type: 'char', label: 'Name', required: true },
        { name: 'city', type: 'char', label: 'City' },
        { name: 'total', type: 'float', label: 'Total', readonly: true },
      ],
    },
  }) as unknown as WireWorkspace

let records: RecordStore
let asked: (readonly unknown[])[]
let answer: Record<string, unknown>

beforeEach(() => {
  vi.useFakeTimers()
  records = createRecords()
  asked = []
  answer = {}
  const rpc = {
    call: async (_model: string, _method: string, args: readonly unknown[]) => {
      asked.push(args)
      return { value: answer, warnings: [] }
    },
  }
  const session = { bootstrap: { user: { id: 7 } } }
  // A form needs these three of the services.
  provideServices({ records, rpc: rpc as unknown as Rpc, session } as unknown as ClientServices)
  fields.add('char', { Widget: () => null })
  fields.add('float', { Widget: () => null })
})
afterEach(() => {
  vi.useRealTimers()
})

const open = (recordId: number, defaults = {}) => createForm({ workspace: workspace(recordId, defaults), prefix: 'f' })
const put = (values: object, isRemote = true) => records.put('shop.customer', [{ id: 3, ...values }], { isRemote })

describe('a form', () => {
  test('counts what would be sent, not what the server computed along with it', async () => {
    put({ name: 'A', city: 'X', total: 1, version: 1 }, false)
    const form = open(3)
    answer = { total: 2 }
    form.set('city', 'Y')
    await vi.advanceTimersByTimeAsync(120)
    expect(form.draft.get('total')).toBe(2)
    expect(form.changed.value).toEqual(['city'])
    expect(form.toSend()).toEqual({ city: 'Y' })
    form.set('city', 'X')
    expect(form.isDirty.value).toBe(false)
  })

  test('of a new record is not changed by its defaults, and sends them', async () => {
    answer = { city: 'X' }
    const form = open(0, { hidden: 5 })
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toEqual([[{ hidden: 5 }, [], ['name', 'city', 'total']]])
    expect(form.isDirty.value).toBe(false)
    form.set('name', 'A')
    expect(form.isDirty.value).toBe(true)
    expect(form.toSend()).toEqual({ hidden: 5, city: 'X', name: 'A' })
  })

  test('without changes shows values that others save and bases the next edit on them', () => {
    put({ name: 'A', city: 'X', version: 1 }, false)
    const form = open(3)
    put({ name: 'B', version: 2 })
    expect(form.draft.get('name')).toBe('B')
    expect(form.draft.baseVersion.value).toBe(2)
    expect(form.notice.value).toBeNull()
  })

  test('with changes keeps them and the version they began with, and says what others changed', () => {
    put({ name: 'A', city: 'X', version: 1 }, false)
    const form = open(3)
    form.set('city', 'Mine')
    put({ name: 'B', city: 'Theirs', version: 2 })
    expect(form.draft.get('name')).toBe('B')
    expect(form.draft.get('city')).toBe('Mine')
    expect(form.draft.baseVersion.value).toBe(1)
    expect(form.notice.value).toEqual({ kind: 'changed', overlap: ['city'] })
    form.stop()
    put({ city: 'Later', version: 3 })
    expect(form.notice.value).toEqual({ kind: 'changed', overlap: ['city'] })
  })

  test('is dirty with something typed that is no value, until it is one again', () => {
    put({ name: 'A', version: 1 }, false)
    const form = open(3)
    form.setInvalid('city', 'No such city.')
    expect(form.invalid.value).toEqual({ city: 'No such city.' })
    expect(form.isDirty.value).toBe(true)
    form.set('city', 'Y')
    expect(form.invalid.value).toEqual({})
    form.discard()
    expect(form.isDirty.value).toBe(false)
  })
})
