import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fields } from '../../addons/web/client/core/registries.ts'
import type { Rpc } from '../../addons/web/client/net/rpc.ts'
import type { ArchNode, WireWorkspace } from '../../addons/web/client/sdk.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords, type RecordStore } from '../../addons/web/client/store/records.ts'
import { carryOutAll } from '../../addons/web/client/ui/undo.ts'
import { recordActions } from '../../addons/web/client/views/form/actions.ts'
import { takeCarried } from '../../addons/web/client/views/form/carry.ts'
import { createForm } from '../../addons/web/client/views/form/model.ts'
import { saveForm } from '../../addons/web/client/views/form/save.ts'

const node = (tag: string, attrs: Record<string, string> = {}, children: readonly ArchNode[] = []): ArchNode => ({
  tag,
  attrs,
  children,
  addon: 'shop',
})

const workspace = (recordId: number): WireWorkspace =>
  // The parts of a workspace a form is made of.
  ({
    model: 'shop.customer',
    recordId,
    actionId: 1,
    defaults: {},
    formBaseQuery: 'model=shop.customer&view_type=form',
    breadcrumbs: [],
    viewTabs: [],
    arch: {
      type: 'form',
      model: 'shop.customer',
      root: node('form', {}, [node('field', { name: 'name' }), node('field', { name: 'city' })]),
      related: {},
      access: { create: true, write: true, unlink: true },
      fields: [
        { name: 'name', type: 'char', label: 'Name' },
        { name: 'city', type: 'char', label: 'City' },
      ],
    },
  }) as unknown as WireWorkspace

interface Call {
  readonly method: string
  readonly args: readonly unknown[]
  readonly options: object | undefined
  readonly answer: (result: unknown) => void
}

let records: RecordStore
/** What was sent and waits for its answer. */
let calls: Call[]
/** What the server has. */
let row: Record<string, unknown> & { id: number }

const last = (method: string): Call => {
  const call = calls.findLast((each) => each.method === method)
  if (!call) throw new Error(`nothing was asked of ${method}`)
  return call
}

beforeEach(() => {
  vi.useFakeTimers()
  records = createRecords()
  calls = []
  row = { id: 3, name: 'A', city: 'X', version: 1, display_name: 'A' }
  const rpc = {
    call: (_model: string, method: string, args: readonly unknown[], _kwargs: unknown, options?: object) =>
      method === 'onchange'
        ? Promise.resolve({ value: {}, warnings: [] })
        : new Promise((answer) => calls.push({ method, args, options, answer })),
    read: async () => [row],
  }
  const router = { go: async () => true, trail: { peek: () => [] } }
  const session = { bootstrap: { user: { id: 7 } } }
  // What a form that is saved and left needs of the services.
  provideServices({ records, rpc: rpc as unknown as Rpc, session, router } as unknown as ClientServices)
  fields.add('char', { Widget: () => null })
  vi.stubGlobal('document', { activeElement: null })
  vi.stubGlobal('HTMLElement', Object)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const open = (recordId: number, options = {}) => createForm({ workspace: workspace(recordId), prefix: 'f', ...options })

describe('a save', () => {
  test('keeps what is typed while it is under way as the next draft', async () => {
    records.put('shop.customer', [row])
    const form = open(3)
    form.set('name', 'B')
    const saving = saveForm(form)
    await vi.advanceTimersByTimeAsync(0)
    expect(last('write').args).toEqual([[3], { name: 'B' }])
    form.set('city', 'Y')
    row = { ...row, name: 'B', version: 2 }
    last('write').answer(true)
    expect(await saving).toBe(3)
    expect(form.toSend()).toEqual({ city: 'Y' })
    expect(form.isDirty.value).toBe(true)
    expect(form.draft.baseVersion.value).toBe(2)
  })

  test('of a new record leaves its values on screen, creates it once, and carries on what is typed', async () => {
    const form = open(0)
    form.set('name', 'New')
    const saving = saveForm(form)
    await vi.advanceTimersByTimeAsync(0)
    last('create').answer(3)
    expect(await saving).toBe(3)
    expect(form.draft.get('name')).toBe('New')
    expect(form.isDirty.value).toBe(false)
    expect(await saveForm(form)).toBeNull()
    form.set('city', 'Late')
    row = { ...row, name: 'New', city: '' }
    records.put('shop.customer', [row])
    const later = takeCarried('shop.customer', 3)
    const opened = open(3, { later })
    expect(opened.toSend()).toEqual({ city: 'Late' })
    expect(opened.isDirty.value).toBe(true)
  })
})

test('a record that was deleted is deleted also when the page is left at once', async () => {
  records.put('shop.customer', [row])
  const form = open(3)
  recordActions(form)
    .find(({ label }) => label === 'Delete')
    ?.run?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(calls).toEqual([])
  carryOutAll()
  expect(last('unlink')).toMatchObject({ args: [[3]], options: { keepalive: true } })
})
