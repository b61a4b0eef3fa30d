import { signal } from '@preact/signals'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { setLocale } from '../../addons/web/client/core/format.ts'
import { CallError } from '../../addons/web/client/net/errors.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createLayered } from '../../addons/web/client/store/layered.ts'
import { createRecords } from '../../addons/web/client/store/records.ts'
import { runPendingNow } from '../../addons/web/client/ui/undo.ts'
import type { Board, BoardColumn } from '../../addons/web/client/views/kanban/model/board.ts'
import { valueInColumn } from '../../addons/web/client/views/kanban/model/column-value.ts'
import { isMovable } from '../../addons/web/client/views/kanban/model/columns.ts'
import { archiveCard, deleteCard, moveCard } from '../../addons/web/client/views/kanban/move/moves.ts'
import type { WireField } from '../../kernel/view/wire.ts'

const { errors } = vi.hoisted(() => ({ errors: [] as ((() => unknown) | undefined)[] }))

vi.mock(import('../../addons/web/client/ui/announce.ts'), () => ({ announce: () => undefined }))
vi.mock(import('../../addons/web/client/ui/toasts.tsx'), async (real) => ({
  ...(await real()),
  showError: (_, again) => void errors.push(again),
  showToast: () => () => undefined,
}))

const STAGE: WireField = { name: 'stage_id', type: 'many2one', label: 'Stage', relation: 'crm.stage' }
const TAGS: WireField = { name: 'tag_ids', type: 'many2many', label: 'Tags', relation: 'crm.tag' }
const DAY: WireField = { name: 'deadline', type: 'date', label: 'Deadline' }
const MOMENT: WireField = { name: 'start', type: 'datetime', label: 'Start' }

const place = (value: unknown, domain: readonly unknown[] = []) => ({ value, label: String(value), domain })

let answers: (() => Promise<true>)[]
let sent: (readonly unknown[])[]

function boardOf(field: WireField, columns: Readonly<Record<string, readonly number[]>>, mayOrder = false): Board {
  const records = createRecords()
  records.put('crm.lead', [{ id: 1 }, { id: 2 }, { id: 3 }])
  const all = Object.entries(columns).map(([key, ids]) => ({
    ...place(key === '' ? null : Number(key)),
    key,
    stats: createLayered({ count: ids.length, sums: null, progress: null }),
    ids: createLayered(ids),
  })) as unknown as BoardColumn[]
  const rpc = {
    call: (_: string, method: string, args: readonly unknown[]) => {
      sent.push([method, ...args])
      return answers.shift()?.() ?? Promise.resolve(true)
    },
    read: async () => [],
  }
  provideServices({ rpc, records } as unknown as ClientServices)
  return {
    arch: { model: 'crm.lead', fields: [field], related: {}, title: null, sum: null, progress: null, sequence: null },
    item: signal(field.name),
    field: signal(field),
    columns: signal(all),
    cards: { ids: createLayered([]), stats: createLayered({ count: 0, sums: null, progress: null }) },
    mayMove: signal(true),
    mayOrder: signal(mayOrder),
    column: (key: string) => all.find((column) => column.key === key),
    entryOf: (id: number) => records.get('crm.lead', id),
    fieldNames: () => [field.name],
    hold: () => undefined,
    refreshFigures: async () => undefined,
    sortAgain: vi.fn(async () => undefined),
    reload: () => undefined,
  } as unknown as Board
}

const shown = (board: Board) => Object.fromEntries(board.columns.peek().map(({ key, ids }) => [key, ids.value.peek()]))

beforeEach(() => {
  answers = []
  sent = []
  errors.length = 0
  setLocale('en', 'Europe/Berlin')
})

describe('a card', () => {
  test('that is moved on while a first move is refused is in one column', async () => {
    const board = boardOf(STAGE, { '7': [1, 2], '8': [], '9': [3] })
    let refuse: () => void = () => undefined
    answers = [
      () =>
        new Promise((_, reject) => {
          refuse = () => reject(new CallError('VALIDATION', 'Not there.'))
        }),
      async () => true,
    ]
    const first = moveCard(board, 1, '7', { column: '8', index: 0 })
    const second = moveCard(board, 1, '8', { column: '9', index: 0 })
    await expect.poll(() => sent).toHaveLength(1)
    refuse()
    expect([await first, await second]).toEqual([false, true])
    expect(shown(board)).toEqual({ '7': [2], '8': [], '9': [1, 3] })
    expect(sent.slice(0, 2)).toEqual([
      ['write', [1], { stage_id: 8 }],
      ['write', [1], { stage_id: 9 }],
    ])
  })

  test('goes where the server orders it when the order is not one’s own', async () => {
    const board = boardOf(STAGE, { '7': [1], '8': [2, 3] })
    await moveCard(board, 1, '7', { column: '8', index: 0 })
    expect(board.sortAgain).toHaveBeenCalledWith(board.column('8'))
  })

  test('of several links stays in the columns of the others', async () => {
    const board = boardOf(TAGS, { '': [3], '4': [1], '5': [1], '6': [] })
    await moveCard(board, 1, '4', { column: '6', index: 0 })
    expect(shown(board)).toEqual({ '': [3], '4': [], '5': [1], '6': [1] })
    expect(sent[0]).toEqual([
      'write',
      [1],
      {
        tag_ids: [
          [3, 4],
          [4, 6],
        ],
      },
    ])
    await moveCard(board, 1, '6', { column: '', index: 0 })
    expect(shown(board)).toEqual({ '': [1, 3], '4': [], '5': [], '6': [] })
  })
})

describe('a card that the server did not answer about', () => {
  const lost = () => Promise.reject(new CallError('OFFLINE', 'No answer.'))
  test.each([
    ['moved', (board: Board) => moveCard(board, 1, '7', { column: '8', index: 0 }), [2], [1]],
    ['archived', (board: Board) => archiveCard(board, 1), [2], []],
    [
      'deleted',
      async (board: Board) => {
        deleteCard(board, 1)
        runPendingNow()
      },
      [2],
      [],
    ],
  ])('is back, and is %s once somebody tries again', async (_, change, from, to) => {
    const board = boardOf(STAGE, { '7': [1, 2], '8': [] })
    answers = [lost]
    await change(board)
    await expect.poll(() => errors).toHaveLength(1)
    expect(shown(board)).toEqual({ '7': [1, 2], '8': [] })
    errors[0]?.()
    await expect.poll(() => shown(board)).toEqual({ '7': from, '8': to })
    expect(sent[1]).toEqual(sent[0])
    expect(errors).toHaveLength(1)
  })
})

describe('what a column gives', () => {
  test('can be a link, a stretch of time or none, but nothing that is computed', () => {
    const items: readonly (readonly [string, WireField])[] = [
      ['stage_id', STAGE],
      ['tag_ids', TAGS],
      ['deadline:month', DAY],
      ['start:hour', MOMENT],
      ['deadline:week', { ...DAY, readonly: true }],
    ]
    expect(items.map(([item, field]) => isMovable(item, field))).toEqual([true, true, true, false, false])
  })

  test('is the same day of another stretch, or the last where that is too short', () => {
    const move = (size: string, from: string, to: string, day: string) =>
      valueInColumn(DAY, `deadline:${size}`, place(to), place(from), day).send
    expect(move('week', '2026-11-02', '2026-11-16', '2026-11-05')).toBe('2026-11-19')
    expect(move('month', '2026-01-01', '2026-02-01', '2026-01-31')).toBe('2026-02-28')
    expect(move('quarter', '2026-10-01', '2027-01-01', '2026-12-24')).toBe('2027-03-24')
    expect(move('day', '2026-11-02', '2026-10-31', '2026-11-02')).toBe('2026-10-31')
  })

  test('is the same time of the day, also where a clock was set meanwhile', () => {
    const { send } = valueInColumn(
      MOMENT,
      'start:month',
      place('2026-11-01'),
      place('2026-10-01'),
      '2026-10-20T07:30:00.000Z',
    )
    expect(send).toBe('2026-11-20T08:30:00.000Z')
  })

  test('is its first moment for what had none, and none for what goes there', () => {
    const november = place('2026-11-01', [['start', '>=', '2026-10-31T23:00:00.000Z']])
    expect(valueInColumn(MOMENT, 'start:month', november, null, null).send).toBe('2026-10-31T23:00:00.000Z')
    expect(valueInColumn(DAY, 'deadline:month', place('2026-11-01'), null, null).send).toBe('2026-11-01')
    expect(valueInColumn(DAY, 'deadline:month', place(null), place('2026-11-01'), '2026-11-05').send).toBe(null)
    expect(valueInColumn(STAGE, 'stage_id', place(null), null, null)).toEqual({ send: null, show: null })
    expect(valueInColumn(TAGS, 'tag_ids', place(4), null, null)).toEqual({ send: [[4, 4]], show: [4] })
  })
})
