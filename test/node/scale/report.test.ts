import { describe, expect, test } from 'vitest'
import { isLossless, type Losses, longestGap, lossLines, phaseTable, throughputTable } from './report.ts'

describe('the longest gap', () => {
  test('is that between two moments, in whatever order they were noted', () => {
    expect(longestGap([30, 10, 20, 75, 80], 10, 80)).toBe(45)
  })

  test('begins before the window and ends after it where nothing happened at its edges', () => {
    expect(longestGap([5, 50, 120], 40, 100)).toBe(70)
    expect(longestGap([5, 120], 40, 100)).toBe(115)
  })

  test('is the whole window if nothing happened at all', () => {
    expect(longestGap([], 40, 100)).toBe(60)
  })
})

test('a line of a phase has its figures in whole numbers', () => {
  const figures = { calls: 318, refused: 4, broken: 1, eventMs: 374.4, resyncs: 6 }
  const phase = {
    name: 'primary killed',
    seconds: 42.4,
    created: 143,
    repeated: 2,
    writeGapMs: 23_416.2,
    callGapMs: 238,
  }
  expect(phaseTable([{ ...phase, ...figures }]).split('\n')).toEqual([
    '| phase          |   s | created | repeated | write gap ms | call gap ms | calls | 503 | broken | event ms | resync |',
    '| -------------- | --: | ------: | -------: | -----------: | ----------: | ----: | --: | -----: | -------: | -----: |',
    '| primary killed |  42 |     143 |        2 |        23416 |         238 |   318 |   4 |      1 |      374 |      6 |',
  ])
})

test('throughput grows from that of one process of the same call', () => {
  const all = [
    { name: 'read', processes: 1, service: 400, floor: 1_000 },
    { name: 'read', processes: 2, service: 600, floor: 1_100 },
    { name: 'create', processes: 1, service: 100, floor: 300 },
  ]
  const rows = throughputTable(all)
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
  expect(rows[1]!.slice(1, -1)).toEqual(['read', '2', '600', '1.50×', '1100', '1.10×'])
  expect(rows[2]!.slice(1, -1)).toEqual(['create', '1', '100', '1.00×', '300', '1.00×'])
})

test('any loss is one, and a few of each kind are named', () => {
  const none: Losses = { records: [], contradictions: [], events: [], failures: [] }
  expect(isLossless(none)).toBe(true)
  expect(lossLines(none).every((line) => line.endsWith(': none'))).toBe(true)
  const some = { ...none, events: ['a', 'b', 'c', 'd', 'e', 'f'] }
  expect(isLossless(some)).toBe(false)
  expect(lossLines(some)[2]).toBe('Events lost: 6, such as a; b; c; d; e')
})
