import type { Admission } from '../services.ts'
import { periodOf, type RatePolicy, type RatePolicyName } from './rate-policy.ts'

/** The admission when there is no limit. */
export const UNLIMITED: Admission = Object.freeze({ admitted: true, retryAfter: 0, headers: {} })

/**
 * The answer to one request. `level`: milliseconds until the full allowance is available again; `others`: how many later
 * requests are included in it.
 */
export function admission(
  name: RatePolicyName,
  policy: RatePolicy,
  { admitted, level, others = 0 }: { readonly admitted: boolean; readonly level: number; readonly others?: number },
): Admission {
  const period = periodOf(policy) / 1_000
  const left = Math.max(0, Math.floor(policy.limit - level / period + ROUNDING) + others)
  const reset = Math.ceil(level / 1_000)
  return {
    admitted,
    retryAfter: admitted ? 0 : Math.max(level + period - policy.limit * period, 0) / 1_000,
    headers: {
      'ratelimit-policy': `"${name}";q=${policy.limit};w=${policy.windowSeconds}`,
      ratelimit: `"${name}";r=${left};t=${reset}`,
      'ratelimit-limit': String(policy.limit),
      'ratelimit-remaining': String(left),
      'ratelimit-reset': String(reset),
    },
  }
}

/** Tolerance for floating point, so that a request that exactly fits is admitted. */
export const ROUNDING = 1e-6
