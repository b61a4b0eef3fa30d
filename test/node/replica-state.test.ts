import { expect, test } from 'vitest'
import { hasPassed, type ReplicaState, whyUnfit } from '../../runtime/postgres/replica-state.ts'

const primary = { system: '7', database: 5 }
const epoch = { modules: 1, access: 1, views: 1 }
const state: ReplicaState = { ...primary, ...epoch, is_standby: true, lsn: 100, replayed_ms: 0, timeline: 2 }
const fence = { lsn: 100, primaryLsn: 120, primaryMs: 0, timeline: 2, epoch }

test('a standby of the same database on the same timeline can stand in for the primary, and nothing else can', () => {
  const why = (other: Partial<ReplicaState>) => whyUnfit({ ...state, ...other }, primary, 2)
  expect(why({})).toBeUndefined()
  expect(why({ system: '8' })).toMatch(/another database/)
  expect(why({ database: 6 })).toMatch(/another database/)
  expect(why({ is_standby: false })).toMatch(/no standby/)
  expect(why({ timeline: 1 })).toMatch(/another timeline/)
})

test('a replica has passed a fence when it has replayed that much and seen the last changes of modules, access and views', () => {
  expect(hasPassed(state, fence)).toBe(true)
  expect(hasPassed({ ...state, lsn: 99 }, fence)).toBe(false)
  expect(hasPassed(state, { ...fence, lsn: null })).toBe(false)
  for (const counter of ['modules', 'access', 'views'] as const)
    expect(hasPassed({ ...state, [counter]: 0 }, fence)).toBe(false)
})
