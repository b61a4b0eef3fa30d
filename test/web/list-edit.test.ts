import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fields } from '../../addons/web/client/core/registries.ts'
import { CallError } from '../../addons/web/client/net/errors.ts'
import type { Rpc } from '../../addons/web/client/net/rpc.ts'
import { type ArchNode, parseRoute, signal, type WireWorkspace } from '../../addons/web/client/sdk.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords, type RecordStore } from '../../addons/web/client/store/records.ts'
import { createEditActs, type EditState } from '../../addons/web/client/views/list/edit.ts'
import { createListModel, type ListModel } from '../../addons/web/client/views/list/model.ts'

vi.mock('../../addons/web/client/views/list/edit-questions.tsx', () => ({ askManyRows: async () => true }))

const node = (tag: string, attrs: Record<string, string> = {}, children: ArchNode[] = []): ArchNode => ({
  tag,
  attrs,
  children,
  addon: 'project',
})

const workspace = (defaults = {}): WireWorkspace =>
  // The parts of a workspace a list is made of.
  ({
    model: 'project.task',
    actionId: 1,
    domain: [],
    searchDomain: [],
    defaults,
    listSort: '',
    listOffset: 0,
    listTotal: 2,
    listTotalExact: true,
    formBaseQuery: '',
    records: [
      { id: 1, name: 'One', planned: 4, remaining: 4, version: 1 },
      { id: 2, name: 'Two', planned: 5, remaining: 5, version: 1 },
    ],
    search: { panel: [], filters: [], fields: [], defaultFilters: [] },
    arch: {
      type: 'list',
      model: 'project.task',
      related: {},
      access: { create: true, write: true, unlink: true },
      fields: [
        { name: 'name', type: 'char', label: 'Name', required: true },
        { name: 'planned', type: 'float', label: 'Planned' },
        { name: 'remaining', type: 'float', label: 'Remaining', readonly: true },
        { name: 'note', type: 'char', label: 'Note' },
      ],
      root: node('list', { editable: 'bottom', multi_edit: '1' }, [
        node('field', { name: 'name' }),
        node('field', { name: 'planned' }),
        node('field', { name: 'remaining' }),
        node('field', { name: 'note', optional: 'hide' }),
      ]),
    },
  }) as unknown as WireWorkspace

type Call = readonly [method: string, args: readonly unknown[]]

let records: RecordStore
let calls: Call[]
let onchange: Record<string, unknown>
let refusal: CallError | null
let model: ListModel
let state: EditState

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  records = createRecords()
  calls = []
  onchange = {}
  refusal = null
  const call = async (_model: string, method: string, args: readonly unknown[]) => {
    calls.push([method, args])
    if (method === 'onchange') return { value: onchange, warnings: [] }
    if ((method === 'write' || method === 'create') && refusal) throw refusal
    if (method === 'create') return 9
    return method === 'read_group' ? [{ __count: 2 }] : []
  }
  const rpc = { call, read: async (_: string, ids: readonly number[]) => ids.map((id) => ({ id, version: 2 })) }
  const session = { bootstrap: { user: { id: 7 } } }
  provideServices({ records, rpc: rpc as unknown as Rpc, session } as unknown as ClientServices)
  fields.add('char', { Widget: () => null })
  fields.add('float', { Widget: () => null })
})
afterEach(() => {
  model.stop()
  vi.unstubAllGlobals()
})

function open(defaults = {}) {
  model = createListModel(workspace(defaults), parseRoute('/web?model=project.task'))
  state = { place: signal(null), rows: signal(new Map()) }
  return createEditActs(model, state)
}

const sent = () => calls.filter(([method]) => method === 'write' || method === 'create')

describe('a row', () => {
  test('sends what one may write, not what the server computed along with it', async () => {
    const acts = open()
    onchange = { remaining: 9 }
    acts.begin(1, 'planned')
    acts.set(state.place.peek()!.row, 'planned', 9)
    expect(await acts.leave()).toBe(true)
    expect(sent()).toEqual([['write', [[1], { planned: 9 }]]])
  })

  test('among selected ones gives them what somebody changed, not what followed from it', async () => {
    const acts = open()
    onchange = { remaining: 9, note: 'Long' }
    model.selection.only([1, 2])
    acts.begin(1, 'planned')
    acts.set(state.place.peek()!.row, 'planned', 9)
    expect(await acts.leave()).toBe(true)
    expect(sent()).toEqual([['write', [[1, 2], { planned: 9 }]]])
  })

  test('that is new sends its defaults, and none that is read-only', async () => {
    const acts = open({ planned: 8, remaining: 8, origin: 'import' })
    onchange = { remaining: 3 }
    expect(acts.beginNew('name')).toBe(true)
    acts.set(state.place.peek()!.row, 'name', 'Three')
    expect(await acts.leave()).toBe(true)
    expect(sent()).toEqual([['create', [{ planned: 8, origin: 'import', name: 'Three' }]]])
  })

  test('that is new and was not typed in is no record', async () => {
    const acts = open({ planned: 8 })
    acts.beginNew('name')
    expect(await acts.leave()).toBe(true)
    expect([sent(), state.rows.peek().size, model.newAt.peek()]).toEqual([[], 0, null])
  })

  test('that is new and saved by hand must be complete', async () => {
    const acts = open()
    acts.beginNew('name')
    const { row } = state.place.peek()!
    expect(await acts.leave(true)).toBe(false)
    expect(row.errors.peek()).toEqual({ name: 'Name is required.' })
    expect(state.place.peek()).toEqual({ row, column: 'name' })
  })

  test('that was refused leads back to a cell that can be mended', async () => {
    const acts = open()
    refusal = new CallError('VALIDATION', 'No.', { details: { fields: { remaining: 'Odd.', planned: 'Too much.' } } })
    acts.begin(1, 'name')
    const { row } = state.place.peek()!
    acts.set(row, 'planned', 99)
    expect(await acts.leave()).toBe(false)
    expect(state.place.peek()).toEqual({ row, column: 'planned' })
    refusal = new CallError('VALIDATION', 'No.', { details: { fields: { remaining: 'Odd.' } } })
    acts.begin(1, 'name')
    expect(await acts.leave()).toBe(false)
    expect(state.place.peek()).toEqual({ row, column: 'name' })
  })

  test('with something typed that is no value is not left', async () => {
    const acts = open()
    acts.begin(1, 'planned')
    const place = state.place.peek()!
    acts.refuse(place.row, 'planned', 'This is not a number.')
    expect([await acts.leave(), await acts.saveAll()]).toEqual([false, false])
    expect(state.place.peek()).toBe(place)
    acts.refuse(place.row, 'planned', null)
    expect(await acts.leave()).toBe(true)
  })

  test('that is being saved is waited for by whoever wants to go', async () => {
    const acts = open()
    acts.begin(1, 'name')
    const { row } = state.place.peek()!
    acts.set(row, 'name', 'Uno')
    const leaving = acts.leave()
    expect(row.isDirty()).toBe(true)
    expect(await acts.saveAll()).toBe(true)
    expect(state.rows.peek().size).toBe(0)
    await leaving
    expect(sent()).toHaveLength(1)
  })

  test('takes a value that was being asked for while one left it', async () => {
    const acts = open()
    acts.begin(1, 'name')
    const { row } = state.place.peek()!
    await acts.leave()
    acts.set(row, 'name', 'Late')
    expect(await acts.saveAll()).toBe(true)
    expect(sent()).toEqual([['write', [[1], { name: 'Late' }]]])
  })
})
