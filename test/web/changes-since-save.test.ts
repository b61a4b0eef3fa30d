import { describe, expect, test } from 'vitest'
import { changesSinceSave } from '../../addons/web/client/store/changes-since-save.ts'
import type { DraftSnapshot } from '../../addons/web/client/store/draft.ts'
import { addLine, dropLine, editLine, type Lines, openLines } from '../../addons/web/client/store/x2many.ts'

const draft = (values: object, lines: Record<string, Lines> = {}): DraftSnapshot => ({
  baseVersion: 1,
  values: values as DraftSnapshot['values'],
  lines,
})
const base = { version: 1, name: 'A', city: 'X', line_ids: [5, 6] }

describe('what was typed while a save was under way', () => {
  test('is what differs from what was sent', () => {
    const sent = { draft: draft({ name: 'B' }), base }
    const saved = { ...base, version: 2, name: 'B' }
    expect(changesSinceSave(sent, draft({ name: 'B' }), saved)).toBeNull()
    expect(changesSinceSave(sent, draft({ name: 'Bc', city: 'Y' }), saved)).toEqual({
      baseVersion: 2,
      values: { name: 'Bc', city: 'Y' },
      lines: {},
    })
    // Typed back to what it was before the save: that is what is wanted now.
    expect(changesSinceSave(sent, draft({}), saved)).toMatchObject({ values: { name: 'A' } })
  })

  test('is a change of lines, too; rows that were new have their ids by now', () => {
    const [added, row] = addLine(editLine(openLines([5, 6]), 5, { qty: 2 }), { qty: 1 })
    const sent = { draft: draft({}, { line_ids: added }), base }
    const saved = { ...base, version: 2, line_ids: [5, 6, 9] }
    expect(changesSinceSave(sent, sent.draft, saved)).toBeNull()
    const more = dropLine(editLine(editLine(added, row, { qty: 3 }), 5, { note: 'n' }), 6, 'delete')
    const [now] = addLine(more, { qty: 7 })
    const later = changesSinceSave(sent, draft({}, { line_ids: now }), saved)
    expect(later?.lines['line_ids']).toEqual({
      saved: [5, 6, 9],
      rows: [5, 9, -2],
      values: { 5: { note: 'n' }, 9: { qty: 3 }, [-2]: { qty: 7 } },
      dropped: { 6: 'delete' },
    })
  })
  test('is a blank row of lines that was opened or filled since; one that still is blank goes', () => {
    const [added] = addLine(openLines([5, 6]), { qty: 1 })
    const [opened, row] = addLine(added, { qty: 1 })
    const blank = { ...opened, blank: row }
    const saved = { ...base, version: 2, line_ids: [5, 6, 9] }
    const since = (before: Lines, now: Lines) =>
      changesSinceSave({ draft: draft({}, { line_ids: before }), base }, draft({}, { line_ids: now }), saved)
    expect(since(blank, blank)).toBeNull()
    expect(since(added, blank)?.lines['line_ids']).toMatchObject({ rows: [5, 6, 9, row], blank: row })
    const filled = { ...editLine(blank, row, { qty: 4 }), blank: undefined }
    expect(since(blank, filled)?.lines['line_ids']).toMatchObject({
      rows: [5, 6, 9, row],
      values: { [row]: { qty: 4 } },
      blank: undefined,
    })
  })
})
