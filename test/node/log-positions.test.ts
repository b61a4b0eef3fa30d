import { expect, test } from 'vitest'
import { rememberPositions } from '../../runtime/postgres/log-positions.ts'

function open() {
  const time = { ms: 0 }
  const positions = rememberPositions(() => time.ms)
  /** Bytes by which the log grows every second. */
  const grow = (seconds: number, perSecond: number) => {
    for (let n = 0; n < seconds; n++) {
      time.ms += 1_000
      positions.note((time.ms / 1_000) * perSecond)
    }
  }
  return { time, positions, grow }
}

test('a replica is late that lacks what the primary had written five seconds ago', () => {
  const { positions, grow } = open()
  grow(20, 100)
  expect([1_499, 1_500, 2_000].map(positions.isLate)).toEqual([true, false, false])
  expect([1_499, 1_500, 2_000].map(positions.isRecent)).toEqual([false, true, true])
})

test('without positions of the last seconds only a replica that has everything is surely recent', () => {
  const { time, positions, grow } = open()
  grow(3, 100)
  expect([299, 300].map(positions.isRecent)).toEqual([false, true])
  time.ms += 3_600_000
  positions.note(9_000)
  expect([8_999, 9_000].map(positions.isRecent)).toEqual([false, true])
  expect([299, 300, 8_999].map(positions.isLate)).toEqual([true, false, false])
})

test('a log that ends earlier than it did is another one, as after a failover', () => {
  const { positions, grow } = open()
  grow(20, 100)
  positions.note(500)
  expect([positions.isLate(400), positions.isRecent(500)]).toEqual([false, true])
})
