import { admission, ROUNDING, UNLIMITED } from '../kernel/serve/admission.ts'
import { periodOf, type RatePolicies, type RatePolicy, type RatePolicyName } from '../kernel/serve/rate-policy.ts'
import { chargeRate, consumeRate, type RateGrant } from '../kernel/serve/rate-table.ts'
import type { Admission, LimitedRequest, RateLimiter } from '../kernel/services.ts'
import type { Db } from '../kernel/sql/database.ts'

const keyOf = ({ policy, subject }: LimitedRequest) => `${policy}:${subject}`

/** Counts in the table alone, one statement each; for a host that keeps nothing between requests. */
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
  /** At best with `RATE_CONNECTIONS` of its own: behind slow requests the count would fail, and each process count alone. */
  readonly db: Db
  readonly policies: RatePolicies
  /** Milliseconds since some moment in the past, which never go back. */
  readonly clock: () => number
  /** The database stopped counting; called once until it counts again. */
  readonly onAway: (error: unknown) => void
  /** Subjects remembered at most; the one not heard of for longest goes first. */
  readonly subjects?: number
}

/** What a process remembers of one subject. */
interface Bucket {
  readonly key: string
  readonly name: RatePolicyName
  readonly policy: RatePolicy
  /** When its allowance is whole again, by the clock of this process; never later than the table has it. */
  tat: number
  readonly waiting: ((answer: Admission) => void)[]
  /** It is in the queue, or being processed. */
  isQueued: boolean
}

/** Statements of one process at a time. */
export const RATE_CONNECTIONS = 2
const SUBJECTS = 10_000
/** So long the database is not asked again after it has failed; and nobody waits for that answer. */
const AWAY_MS = 1_000

/**
 * The same count with a memory in front of it, for a process that lives. Requests of one subject that come together share one
 * statement, so that a flood costs one at a time. What the table would refuse for sure is refused without asking it. While the
 * database is away the process counts alone, from what it remembers, and gives sign-ins only a part.
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

  /** Asks the table, or answers null while it is away. Whether it is back is found out beside: a silent network would make each caller wait. */
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
      // Counted from before the question: the table's own moment was later, so this is never too late.
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

  /** Answers all who wait for one subject with one statement. */
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

/** What one process gives alone. */
const aloneOf = (policy: RatePolicy): RatePolicy => ({
  ...policy,
  limit: Math.max(1, Math.floor(policy.limit * policy.shareAlone)),
})
