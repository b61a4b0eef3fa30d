import { admission, ROUNDING, UNLIMITED } from '../kernel/serve/admission.ts'
import { periodOf, type RatePolicies, type RatePolicy, type RatePolicyName } from '../kernel/serve/rate-policy.ts'
import { chargeRate, consumeRate, type RateGrant } from '../kernel/serve/rate-table.ts'
import type { Admission, LimitedRequest, RateLimiter } from '../kernel/services.ts'
import type { Db } from '../kernel/sql/database.ts'

const keyOf = ({ policy, subject }: LimitedRequest) => `${policy}:${subject}`

/** Counts only in the table, with one statement each; for a host without memory between requests. */
export const countInTable = (db: Db, policies: RatePolicies): RateLimiter => ({
  async admit(request) {
    const policy = policies[request.policy]
    if (policy === null) return UNLIMITED
    const { granted, level } = await consumeRate(db, { key: keyOf(request), policy, wanted: 1 })
    return admission(request.policy, policy, { admitted: granted > 0, level })
  },
  async charge(request, cost) {
    const policy = policies[request.policy]
    if (policy !== null) await chargeRate(db, { key: keyOf(request), policy, wanted: cost })
  },
})

export interface CountOptions {
  /** Should have `RATE_CONNECTIONS` of its own: behind slow requests counting would fail, and each process would count alone. */
  readonly db: Db
  readonly policies: RatePolicies
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number
  /** Called once when counting in the database begins to fail. */
  readonly onAway: (error: unknown) => void
  /** Maximum number of remembered subjects; the least recently used is dropped first. */
  readonly subjects?: number
}

/** What a process remembers of one subject. */
interface Bucket {
  readonly key: string
  readonly name: RatePolicyName
  readonly policy: RatePolicy
  /** When its allowance is full again, by the clock of this process; never later than in the table. */
  tat: number
  readonly waiting: ((answer: Admission) => void)[]
  /** Whether it is in the queue or being processed. */
  isQueued: boolean
}

/** Statements that one process runs at the same time. */
export const RATE_CONNECTIONS = 2
const SUBJECTS = 10_000
/** For this long after a failure of the database it is not asked; requests are counted in memory meanwhile. */
const AWAY_MS = 1_000

/**
 * Counts in the table with a cache in memory, for a process that lives on. Concurrent requests of one subject share a statement, so that a
 * flood costs one statement at a time. Requests that the table would certainly refuse are refused without a statement. While the database
 * is away the process counts alone from its cache, and grants sign-ins only a part of the allowance.
 */
export function countWithMemory({ db, policies, clock, onAway, subjects = SUBJECTS }: CountOptions): RateLimiter {
  const buckets = new Map<string, Bucket>()
  const queue: Bucket[] = []
  let serving = 0
  let awayUntil = 0
  let isAway = false

  function bucketOf(request: LimitedRequest): Bucket | null {
    const policy = policies[request.policy]
    if (policy === null) return null
    const key = keyOf(request)
    const known = buckets.get(key)
    const bucket = known ?? { key, name: request.policy, policy, tat: 0, waiting: [], isQueued: false }
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > subjects) buckets.delete(buckets.keys().next().value!)
    return bucket
  }

  /** Counts in the table; null while the database is away. Its return is checked in the background, so that callers do not wait on a silent network. */
  async function ask(bucket: Bucket, statement: () => Promise<RateGrant>): Promise<RateGrant | null> {
    const asked = clock()
    if (!isAway) return askTable(bucket, asked, statement)
    if (asked >= awayUntil) {
      awayUntil = Number.POSITIVE_INFINITY
      void askTable(bucket, asked, statement)
    }
    return null
  }

  async function askTable(
    bucket: Bucket,
    asked: number,
    statement: () => Promise<RateGrant>,
  ): Promise<RateGrant | null> {
    try {
      const taken = await statement()
      isAway = false
      // Counted from before the statement: the table took its time later, so this bucket never refuses for longer than the table would.
      bucket.tat = Math.max(bucket.tat, asked + taken.level)
      return taken
    } catch (error) {
      awayUntil = clock() + AWAY_MS
      if (!isAway) onAway(error)
      isAway = true
      return null
    }
  }

  function takeAlone(bucket: Bucket, policy: RatePolicy, wanted: number): RateGrant {
    const now = clock()
    const period = periodOf(policy) / 1_000
    const room = Math.floor(policy.limit - Math.max(0, bucket.tat - now) / period + ROUNDING)
    const granted = Math.max(0, Math.min(wanted, room))
    bucket.tat = Math.max(bucket.tat, now) + granted * period
    return { granted, level: bucket.tat - now }
  }

  function enqueue(bucket: Bucket): void {
    bucket.isQueued = true
    queue.push(bucket)
    if (serving < RATE_CONNECTIONS) void serveQueue()
  }

  async function serveQueue(): Promise<void> {
    serving++
    for (let bucket = queue.shift(); bucket; bucket = queue.shift()) {
      await serve(bucket)
      bucket.isQueued = false
      if (bucket.waiting.length > 0) enqueue(bucket)
    }
    serving--
  }

  /** Answers all waiting requests of one subject with one statement. */
  async function serve(bucket: Bucket): Promise<void> {
    const { key, name, policy, waiting } = bucket
    const batch = waiting.splice(0)
    const wanted = batch.length
    const taken = await ask(bucket, () => consumeRate(db, { key, policy, wanted }))
    const ruling = taken ? policy : aloneOf(policy)
    const { granted, level } = taken ?? takeAlone(bucket, ruling, wanted)
    batch.forEach((answer, i) => {
      answer(admission(name, ruling, { admitted: i < granted, level, others: Math.max(0, granted - 1 - i) }))
    })
  }

  return {
    async admit(request) {
      const bucket = bucketOf(request)
      if (bucket === null) return UNLIMITED
      const { name, policy, waiting } = bucket
      const period = periodOf(policy) / 1_000
      const level = Math.max(0, bucket.tat - clock()) + waiting.length * period
      if (level / period > policy.limit - 1 + ROUNDING) return admission(name, policy, { admitted: false, level })
      const answer = new Promise<Admission>((resolve) => waiting.push(resolve))
      if (!bucket.isQueued) enqueue(bucket)
      return answer
    },
    async charge(request, cost) {
      const bucket = bucketOf(request)
      if (bucket === null) return
      const { key, policy } = bucket
      const taken = await ask(bucket, () => chargeRate(db, { key, policy, wanted: cost }))
      if (taken === null) bucket.tat = Math.max(bucket.tat, clock()) + (cost * periodOf(aloneOf(policy))) / 1_000
    },
  }
}

/** The allowance that one process grants alone. */
const aloneOf = (policy: RatePolicy): RatePolicy => ({
  ...policy,
  limit: Math.max(1, Math.floor(policy.limit * policy.shareAlone)),
})
