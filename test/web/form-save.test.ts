import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fields } from '../../addons/web/client/core/registries.ts'
import { CallError } from '../../addons/web/client/net/errors.ts'
import type { Rpc } from '../../addons/web/client/net/rpc.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords, type RecordStore } from '../../addons/web/client/store/records.ts'
import { beginEdit, editLine } from '../../addons/web/client/store/x2many.ts'
import { runPendingNow } from '../../addons/web/client/ui/undo.ts'
import { recordActions } from '../../addons/web/client/views/form/action/actions.ts'
import { createForm } from '../../addons/web/client/views/form/model/model.ts'
import { askFormConflict } from '../../addons/web/client/views/form/save/conflict.tsx'
import { takePendingChanges } from '../../addons/web/client/views/form/save/pending-changes.ts'
import { saveForm } from '../../addons/web/client/views/form/save/save.ts'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import type { WireWorkspace } from '../../kernel/view/wire.ts'

vi.mock('../../addons/web/client/views/form/save/conflict.tsx', () => ({ askFormConflict: vi.fn() }))

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
      root: node('form', {}, [
        node('field', { name: 'name' }),
        node('field', { name: 'city' }),
        node('field', { name: 'tag_ids' }),
        node('field', { name: 'line_ids' }),
      ]),
      related: {
        line_ids: {
          model: 'shop.line',
          fields: [
            { name: 'qty', type: 'float', label: 'Quantity' },
            { name: 'note', type: 'char', label: 'Note' },
          ],
        },
      },
      access: { create: true, write: true, unlink: true },
      fields: [
        { name: 'name', type: 'char', label: 'Name' },
        { name: 'city', type: 'char', label: 'City' },
        { name: 'tag_ids', type: 'many2many', label: 'Tags', relation: 'shop.tag' },
        { name: 'line_ids', type: 'one2many', label: 'Lines', relation: 'shop.line' },
      ],
    },
  }) as unknown as WireWorkspace

interface Call {
  readonly method: string
  readonly args: readonly unknown[]
  readonly kwargs: unknown
  readonly options: object | undefined
  readonly answer: (result: unknown) => void
  readonly refuse: (error: unknown) => void
}

let records: RecordStore
/** What was sent and waits for its answer. */
let calls: Call[]
/** What the server has. */
let row: (Record<string, unknown> & { id: number }) | null

const last = (method: string): Call => {
  const call = calls.findLast((each) => each.method === method)
  if (!call) throw new Error(`nothing was asked of ${method}`)
  return call
}

beforeEach(() => {
  vi.useFakeTimers()
  records = createRecords()
  calls = []
  row = { id: 3, name: 'A', city: 'X', version: 1, display_name: 'A', tag_ids: [1], line_ids: [5, 6] }
  records.put('shop.customer', [row])
  const rpc = {
    // Every record can be deleted.
    post: async () => ({ done: [], possible: [3], refused: [] }),
    call: (_model: string, method: string, args: readonly unknown[], kwargs: unknown, options?: object) =>
      method === 'onchange'
        ? Promise.resolve({ value: {}, warnings: [] })
        : new Promise((answer, refuse) => calls.push({ method, args, kwargs, options, answer, refuse })),
    read: async () => {
      if (row === null) throw new CallError('NOT_FOUND', 'It does not exist.')
      return [row]
    },
  }
  const router = { go: async () => true, trail: { peek: () => [] } }
  const session = { bootstrap: { user: { id: 7 }, wcApiBase: '/web/wc' } }
  // What a form that is saved and left needs of the services.
  provideServices({ records, rpc: rpc as unknown as Rpc, session, router } as unknown as ClientServices)
  for (const type of ['char', 'many2many', 'one2many']) fields.add(type, { Widget: () => null })
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
    const form = open(3)
    form.set('name', 'B')
    const saving = saveForm(form)
    await vi.advanceTimersByTimeAsync(0)
    expect(last('write').args).toEqual([[3], { name: 'B' }])
    form.set('city', 'Y')
    row = { ...row!, name: 'B', version: 2 }
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
    row = { ...row!, name: 'New', city: '' }
    records.put('shop.customer', [row!])
    const later = takePendingChanges('shop.customer', 3)
    const opened = open(3, { later })
    expect(opened.toSend()).toEqual({ city: 'Late' })
    expect(opened.isDirty.value).toBe(true)
  })
})

describe('a save that is refused', () => {
  test('because both changed the links keeps exactly mine, if mine are wanted', async () => {
    const form = open(3)
    form.set('tag_ids', [1, 2])
    const saving = saveForm(form)
    await vi.advanceTimersByTimeAsync(0)
    vi.mocked(askFormConflict).mockResolvedValue({ tag_ids: 'mine' })
    row = { ...row!, version: 2, tag_ids: [1, 7] }
    const fields = { tag_ids: { base: [1], mine: [[4, 2]], theirs: [1, 7] } }
    last('write').refuse(new CallError('CONFLICT', 'Changed.', { details: { records: { 3: { version: 2, fields } } } }))
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(0)
    expect(last('write').args).toEqual([
      [3],
      {
        tag_ids: [
          [3, 7],
          [4, 2],
        ],
      },
    ])
    row = { ...row!, version: 3, tag_ids: [1, 2] }
    last('write').answer(true)
    expect(await saving).toBe(3)
    expect(form.isDirty.value).toBe(false)
  })

  test('because both changed a line sends mine on their version, and not what is theirs', async () => {
    const form = open(3)
    const begun = beginEdit(form.draft.lines('line_ids'), 5, 1)
    form.set('line_ids', editLine(begun, 5, { qty: 2, note: 'mine' }))
    const saving = saveForm(form)
    await vi.advanceTimersByTimeAsync(0)
    expect(last('write').kwargs).toEqual({ base_version: { 3: 1 }, line_versions: { line_ids: { 5: 1 } } })
    vi.mocked(askFormConflict).mockResolvedValue({ 0: 'theirs', 1: 'mine' })
    const fields = { qty: { base: 1, mine: 2, theirs: 9 }, note: { base: '', mine: 'mine', theirs: 'theirs' } }
    const details = { lines: { line_ids: { 5: { version: 4, fields } } } }
    last('write').refuse(new CallError('CONFLICT', 'Changed.', { details }))
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.mocked(askFormConflict).mock.lastCall?.[0][0]).toMatchObject({ mine: '2', theirs: '9' })
    expect(last('write')).toMatchObject({
      args: [[3], { line_ids: [[1, 5, { note: 'mine' }]] }],
      kwargs: { line_versions: { line_ids: { 5: 4 } } },
    })
    last('write').answer(true)
    expect(await saving).toBe(3)
  })

  test('because a line is gone goes on without it', async () => {
    const form = open(3)
    form.set('city', 'Y')
    form.set('line_ids', editLine(editLine(form.draft.lines('line_ids'), 5, { qty: 2 }), 6, { qty: 3 }))
    const saving = saveForm(form)
    await vi.advanceTimersByTimeAsync(0)
    row = { ...row!, version: 2, line_ids: [6] }
    const details = { fields: { line_ids: 'Record 5 is not linked to this one.' } }
    last('write').refuse(new CallError('VALIDATION', 'Some values are not valid.', { details }))
    expect(await saving).toBeNull()
    expect(form.errors.value).toEqual({})
    expect(form.toSend()).toEqual({ city: 'Y', line_ids: [[1, 6, { qty: 3 }]] })
  })

  test('because the record is gone says so above it', async () => {
    const form = open(3)
    form.set('city', 'Y')
    const saving = saveForm(form)
    await vi.advanceTimersByTimeAsync(0)
    row = null
    last('write').refuse(new CallError('NOT_FOUND', 'It does not exist.'))
    expect(await saving).toBeNull()
    expect(form.entry?.deleted.value).toBe(true)
  })
})

test('a record that was deleted is deleted also when the page is left at once', async () => {
  const form = open(3)
  recordActions(form)
    .find(({ label }) => label === 'Delete')
    ?.run?.()
  // It is tried first, by code that is loaded for it.
  await vi.dynamicImportSettled()
  await vi.advanceTimersByTimeAsync(0)
  expect(calls).toEqual([])
  runPendingNow()
  expect(last('unlink')).toMatchObject({ args: [[3]], options: { keepalive: true } })
})
