import { signal } from '@preact/signals'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CallError } from '../../addons/web/client/net/errors.ts'
import { readConflict } from '../../addons/web/client/store/conflict.ts'
import { createDraft } from '../../addons/web/client/store/draft.ts'
import { findDraft, keepDraft } from '../../addons/web/client/store/draft-storage.ts'
import type { Values } from '../../addons/web/client/store/records.ts'
import {
  addLine,
  applyCommands,
  dropLine,
  editLine,
  type Lines,
  linkLine,
  moveLine,
  openLines,
  setLines,
  toCommands,
  type X2manyCommand,
} from '../../addons/web/client/store/x2many.ts'
import type { WireField } from '../../kernel/view/wire.ts'

const fields: readonly WireField[] = [
  { name: 'name', type: 'char', label: 'Name' },
  { name: 'partner_id', type: 'many2one', label: 'Customer', relation: 'core.partner' },
  { name: 'line_ids', type: 'one2many', label: 'Lines', relation: 'sale.order.line' },
  { name: 'tag_ids', type: 'many2many', label: 'Tags', relation: 'core.tag' },
]

const saved: Values = { id: 5, version: 3, name: 'S1', partner_id: [2, 'Ada'], line_ids: [10, 11], tag_ids: [1] }

const edit = (base: Values = saved, id: number | null = 5) =>
  createDraft({ model: 'sale.order', id, fields, base: signal(base) })

function storage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
}

describe('a draft', () => {
  test('sends only changed values, a link as its id', () => {
    const draft = edit()
    draft.set('partner_id', [7, 'Bo'])
    expect(draft.get('partner_id')).toEqual([7, 'Bo'])
    expect(draft.toValues()).toEqual({ partner_id: 7 })
    expect(draft.changed.value).toEqual(['partner_id'])
  })

  test('is clean again when the old value is typed back', () => {
    const draft = edit()
    draft.set('name', 'S2')
    expect(draft.isDirty.value).toBe(true)
    draft.set('name', 'S1')
    expect(draft.isDirty.value).toBe(false)
  })

  test('shows values that others save in fields without changes', () => {
    const base = signal(saved)
    const draft = createDraft({ model: 'sale.order', id: 5, fields, base })
    draft.set('name', 'mine')
    base.value = { ...saved, version: 4, name: 'theirs', partner_id: [9, 'Cy'] }
    expect([draft.get('name'), draft.get('partner_id')]).toEqual(['mine', [9, 'Cy']])
    expect(draft.baseVersion.value).toBe(3)
  })

  test('of a new record begins with its defaults and goes back to them', () => {
    const draft = createDraft({
      model: 'crm.lead',
      id: null,
      fields,
      base: signal({}),
      initial: { name: 'New', tag_ids: [4] },
    })
    expect(draft.toValues()).toEqual({ name: 'New', tag_ids: [[4, 4]] })
    draft.set('name', 'Other')
    draft.discard()
    expect(draft.get('name')).toBe('New')
  })

  test('takes what an onchange answers, lines as commands', () => {
    const draft = edit()
    draft.assign({
      name: 'S9',
      line_ids: [
        [1, 10, { quantity: 2 }],
        [2, 11],
        [0, 0, { quantity: 1 }],
      ],
    })
    expect(draft.get('line_ids')).toEqual([10, -1])
    expect(draft.toValues()).toEqual({
      name: 'S9',
      line_ids: [
        [2, 11],
        [1, 10, { quantity: 2 }],
        [0, -1, { quantity: 1 }],
      ],
    })
  })

  test('survives a reload, lines included, with the version it began with', () => {
    const place = { userId: 1, model: 'sale.order', id: 5, actionId: 8 }
    const session = storage()
    const before = edit()
    const stop = keepDraft(session, place, before)
    before.set('name', 'unsaved')
    before.set('name', 'unsaved more')
    before.setLines('line_ids', addLine(before.lines('line_ids'), { quantity: 3 })[0])
    stop()
    const after = edit({ ...saved, version: 4 })
    after.restore(findDraft(session, place)!)
    expect(after.toValues()).toEqual({ name: 'unsaved more', line_ids: [[0, -1, { quantity: 3 }]] })
    expect(after.baseVersion.value).toBe(3)
  })

  test('that has nothing to save leaves nothing behind', () => {
    const place = { userId: 1, model: 'sale.order', id: null, actionId: 8 }
    const session = storage()
    const draft = edit()
    keepDraft(session, place, draft)
    draft.set('name', 'x')
    expect(session.kept.size).toBe(1)
    draft.discard()
    expect(session.kept.size).toBe(0)
    expect(findDraft(session, place)).toBeNull()
  })

  test('works where nothing can be stored', () => {
    const full = {
      ...storage(),
      setItem: () => {
        throw new Error('quota')
      },
    }
    const draft = edit()
    keepDraft(full, { userId: 1, model: 'm', id: 1, actionId: 0 }, draft)
    expect(() => draft.set('name', 'x')).not.toThrow()
  })
})

test('a conflict has the three values of each field', () => {
  const records = { 5: { version: 4, fields: { name: { base: 'a', mine: 'b', theirs: 'c' } } } }
  const error = new CallError('CONFLICT', 'Changed.', { details: { records } })
  expect(readConflict(error, 5)).toEqual({ version: 4, fields: { name: { base: 'a', mine: 'b', theirs: 'c' } } })
  expect(readConflict(error, 6)).toBeNull()
  expect(readConflict(new CallError('CONFLICT', 'Unique.'), 5)).toBeNull()
})

/** What a server makes of commands: rows by id, in no particular order. */
function runOnServer(rows: ReadonlyMap<number, Values>, commands: readonly X2manyCommand[]): Map<number, Values> {
  const after = new Map(rows)
  let next = 1_000
  for (const command of commands) {
    if (command[0] === 0) after.set(next++, command[2])
    else if (command[0] === 1) after.set(command[1], { ...after.get(command[1]), ...command[2] })
    else if (command[0] === 2 || command[0] === 3) after.delete(command[1])
    else if (command[0] === 4) after.set(command[1], after.get(command[1]) ?? {})
  }
  return after
}

describe('lines', () => {
  test('that are added and dropped again are no change', () => {
    const [lines, id] = addLine(openLines([1]), { name: 'x' })
    expect(toCommands(dropLine(lines, id, 'delete'))).toEqual([])
  })

  test('that are not filled yet are no change', () => {
    const [lines, blank] = addLine(openLines([1]), { quantity: 1 })
    expect(toCommands({ ...lines, blank })).toEqual([])
    expect(dropLine({ ...lines, blank }, blank, 'delete').blank).toBeUndefined()
  })

  test('that are unlinked and linked again are no change', () => {
    expect(toCommands(linkLine(dropLine(openLines([1, 2]), 2, 'unlink'), 2))).toEqual([])
  })

  test('can be set to a list of ids', () => {
    expect(toCommands(setLines(openLines([1, 2]), [2, 3]))).toEqual([
      [3, 1],
      [4, 3],
    ])
    expect(toCommands(applyCommands(openLines([1, 2]), [[5]]))).toEqual([
      [3, 1],
      [3, 2],
    ])
  })

  test('can be put in another order', () => {
    expect(moveLine(openLines([1, 2, 3]), 0, 2).rows).toEqual([2, 3, 1])
  })

  type Step =
    | { readonly do: 'add'; readonly value: number }
    | { readonly do: 'edit' | 'delete' | 'unlink'; readonly at: number; readonly value: number }
    | { readonly do: 'link'; readonly id: number }

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('add' as const), value: fc.integer() }),
    fc.record({
      do: fc.constantFrom('edit' as const, 'delete' as const, 'unlink' as const),
      at: fc.nat(9),
      value: fc.integer(),
    }),
    fc.record({ do: fc.constant('link' as const), id: fc.integer({ min: 1, max: 8 }) }),
  )

  const apply = (lines: Lines, each: Step): Lines => {
    if (each.do === 'add') return addLine(lines, { value: each.value })[0]
    if (each.do === 'link') return linkLine(lines, each.id)
    const id = lines.rows[each.at % Math.max(1, lines.rows.length)]
    if (id === undefined) return lines
    return each.do === 'edit' ? editLine(lines, id, { value: each.value }) : dropLine(lines, id, each.do)
  }

  test('after any edits, their commands give the shown rows on the server', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 5 })), fc.array(step, { maxLength: 20 }), (ids, steps) => {
        const lines = steps.reduce(apply, openLines(ids))
        const after = runOnServer(new Map(ids.map((id) => [id, {}])), toCommands(lines))
        const shown = lines.rows.map((id) => lines.values[id]?.['value'] ?? null)
        const served = [...after.values()].map((values) => values['value'] ?? null)
        expect(served.toSorted()).toEqual(shown.toSorted())
        expect([...after.keys()].filter((id) => id < 1_000).toSorted()).toEqual(
          lines.rows.filter((id) => id > 0).toSorted(),
        )
      }),
    )
  })
})
