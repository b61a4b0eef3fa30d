import { signal } from '@preact/signals'
import { describe, expect, test, vi } from 'vitest'
import { CallError } from '../../addons/web/client/net/errors.ts'
import { createEditActs, type EditState } from '../../addons/web/client/views/list/edit/edit.ts'
import { createEditing } from '../../addons/web/client/views/list/edit/editing.ts'
import { useList } from './list-fixture.ts'

vi.mock('../../addons/web/client/views/list/edit/edit-dialogs.tsx', () => ({ askManyRows: async () => true }))

const world = useList()
let state: EditState

function open(defaults = {}) {
  state = { place: signal(null), rows: signal(new Map()) }
  return createEditActs(world.open({ defaults }), state)
}

describe('a row', () => {
  test('sends what one may write, not what the server computed along with it', async () => {
    const acts = open()
    world.onchange = { remaining: 9 }
    acts.begin(1, 'planned')
    acts.set(state.place.peek()!.row, 'planned', 9)
    expect(await acts.leave()).toBe(true)
    expect(world.sent()).toEqual([['write', [[1], { planned: 9 }]]])
  })

  test('among selected ones gives them the changed values, not the computed ones', async () => {
    const acts = open()
    world.onchange = { remaining: 9, note: 'Long' }
    world.model?.selection.only([1, 2])
    acts.begin(1, 'planned')
    acts.set(state.place.peek()!.row, 'planned', 9)
    expect(await acts.leave()).toBe(true)
    expect(world.sent()).toEqual([['write', [[1, 2], { planned: 9 }]]])
  })

  test('that is new sends its defaults, and none that is read-only', async () => {
    const acts = open({ planned: 8, remaining: 8, origin: 'import' })
    world.onchange = { remaining: 3 }
    expect(acts.beginNew('name')).toBe(true)
    acts.set(state.place.peek()!.row, 'name', 'Three')
    expect(await acts.leave()).toBe(true)
    expect(world.sent()).toEqual([['create', [{ planned: 8, origin: 'import', name: 'Three' }]]])
  })

  test('that is new is entered also where those that are there may be locked', async () => {
    const model = world.open({})
    Object.assign(model.arch, { lock: 'not (user_id == uid)' })
    const editing = createEditing(model)
    const column = model.columns.peek()[0]!
    expect([editing.mayEdit(column, {}, 0), editing.mayEdit(column, {}, 1)]).toEqual([true, false])
  })

  test('that is new and was not typed in is no record', async () => {
    const acts = open({ planned: 8 })
    acts.beginNew('name')
    expect(await acts.leave()).toBe(true)
    expect([world.sent(), state.rows.peek().size, world.model?.newAt.peek()]).toEqual([[], 0, null])
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
    world.refusal = new CallError('VALIDATION', 'No.', {
      details: { fields: { remaining: 'Odd.', planned: 'Too much.' } },
    })
    acts.begin(1, 'name')
    const { row } = state.place.peek()!
    acts.set(row, 'planned', 99)
    expect(await acts.leave()).toBe(false)
    expect(state.place.peek()).toEqual({ row, column: 'planned' })
    world.refusal = new CallError('VALIDATION', 'No.', { details: { fields: { remaining: 'Odd.' } } })
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

  test('that is being saved delays leaving the list', async () => {
    const acts = open()
    acts.begin(1, 'name')
    const { row } = state.place.peek()!
    acts.set(row, 'name', 'Uno')
    const leaving = acts.leave()
    expect(row.isDirty()).toBe(true)
    expect(await acts.saveAll()).toBe(true)
    expect(state.rows.peek().size).toBe(0)
    await leaving
    expect(world.sent()).toHaveLength(1)
  })

  test('takes a value that was being asked for while one left it', async () => {
    const acts = open()
    acts.begin(1, 'name')
    const { row } = state.place.peek()!
    await acts.leave()
    acts.set(row, 'name', 'Late')
    expect(await acts.saveAll()).toBe(true)
    expect(world.sent()).toEqual([['write', [[1], { name: 'Late' }]]])
  })
})
