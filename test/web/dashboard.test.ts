import { describe, expect, test } from 'vitest'
import {
  freePlace,
  moveTile,
  resizeTile,
  settle,
  stepDown,
  stepUp,
} from '../../addons/web/client/views/dashboard/model/layout.ts'
import { periodAround, periodBefore, stepPeriod } from '../../addons/web/client/views/dashboard/model/period.ts'

const at = (id: number, x: number, y: number, w = 4, h = 2) => ({ id, x, y, w, h })
const placesOf = (tiles: readonly { readonly id: number; readonly x: number; readonly y: number }[]) =>
  Object.fromEntries(tiles.map(({ id, x, y }) => [id, [x, y]]))

describe('the grid of a dashboard', () => {
  test('has no gaps above a tile and no overlaps', () => {
    expect(placesOf(settle([at(1, 0, 3), at(2, 2, 3)]))).toEqual({ 1: [0, 0], 2: [2, 2] })
  })

  test('lets the tile that moves have its place; others give way downwards', () => {
    expect(placesOf(moveTile([at(1, 0, 0), at(2, 4, 0)], 1, 4, 0))).toEqual({ 1: [4, 0], 2: [4, 2] })
  })

  test('keeps a tile within its columns', () => {
    expect(placesOf(moveTile([at(1, 0, 0)], 1, 40, -3))).toEqual({ 1: [8, 0] })
    expect(resizeTile([at(1, 8, 0)], 1, 40, 40)[0]).toMatchObject({ w: 4, h: 12 })
    expect(resizeTile([at(1, 8, 0)], 1, 0, 0)[0]).toMatchObject({ w: 2, h: 2 })
  })

  test('takes a tile past the next one below or above', () => {
    const tiles = [at(1, 0, 0), at(2, 0, 2), at(3, 4, 0)]
    expect(placesOf(stepDown(tiles, 1))).toEqual({ 1: [0, 2], 2: [0, 0], 3: [4, 0] })
    expect(placesOf(stepUp(tiles, 2))).toEqual({ 1: [0, 2], 2: [0, 0], 3: [4, 0] })
    expect(stepDown(tiles, 3)).toBe(tiles)
  })

  test('has a first free place for a new tile', () => {
    expect(freePlace([at(1, 0, 0), at(2, 8, 0)], 4, 2)).toEqual({ x: 4, y: 0, w: 4, h: 2 })
    expect(freePlace([at(1, 0, 0, 12)], 6, 4)).toEqual({ x: 0, y: 2, w: 6, h: 4 })
  })
})

describe('the period of a dashboard', () => {
  test('is the unit around a day', () => {
    expect(periodAround('quarter', '2026-11-16')).toEqual({ unit: 'quarter', from: '2026-10-01', to: '2026-12-31' })
    expect(periodAround('week', '2026-11-15')).toEqual({ unit: 'week', from: '2026-11-09', to: '2026-11-15' })
    expect(stepPeriod(periodAround('month', '2026-01-31'), 1)).toMatchObject({ from: '2026-02-01', to: '2026-02-28' })
  })

  test('is compared with as many days of the one before as it has had, and with all of it once it is over', () => {
    const month = periodAround('month', '2026-03-31')
    expect(periodBefore(month, '2026-03-10')).toMatchObject({ from: '2026-02-01', to: '2026-02-10' })
    expect(periodBefore(month, '2026-03-30')).toMatchObject({ to: '2026-02-28' })
    expect(periodBefore(month, '2026-05-01')).toMatchObject({ to: '2026-02-28' })
  })
})
