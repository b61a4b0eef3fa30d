import { expect, test } from 'vitest'
import { Outbox } from '../../kernel/outbox.ts'

const changesOf = (outbox: Outbox) =>
  [...outbox.changes].flatMap(([model, records]) =>
    [...records].map(([id, { channel, fields }]) => `${model} ${id} ${channel} ${fields === null ? '' : [...fields]}`),
  )

test('undo drops exactly what was collected since its mark, also inside other marks', () => {
  const outbox = new Outbox()
  outbox.record('record.updated', 'a', [1], ['x'])
  outbox.keep('a', 1, { x: 1 })
  const outer = outbox.mark()
  outbox.record('record.updated', 'a', [1, 2], ['y'])
  const inner = outbox.mark()
  outbox.record('record.updated', 'a', [1], ['z'])
  outbox.record('record.created', 'b', [7], null)
  outbox.keep('a', 1, { z: 3 })
  outbox.publish('note', {})
  outbox.undo(inner)
  outbox.unmark()
  expect(changesOf(outbox)).toEqual(['a 1 record.updated x,y', 'a 2 record.updated y'])
  expect(outbox.replaced.get('a')?.get(1)).toEqual({ x: 1 })
  expect(outbox.messages).toEqual([])
  outbox.record('record.deleted', 'a', [2], null)
  outbox.undo(outer)
  outbox.unmark()
  expect(changesOf(outbox)).toEqual(['a 1 record.updated x'])
  expect(outbox.replaced.get('a')?.get(1)).toEqual({ x: 1 })
})

test('a model becomes vague until what made it so is taken back, or everything is written', () => {
  const outbox = new Outbox()
  outbox.mark()
  const inner = outbox.mark()
  outbox.blur('a')
  outbox.blur('a')
  expect([outbox.isVague('a'), outbox.isVague('b')]).toEqual([true, false])
  outbox.undo(inner)
  outbox.unmark()
  expect(outbox.isVague('a')).toBe(false)
  outbox.blur('a')
  outbox.clear()
  expect(outbox.isVague('a')).toBe(false)
})
