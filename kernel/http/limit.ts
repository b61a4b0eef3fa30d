import type { Caller } from '../auth/principal.ts'
import { AppError } from '../errors.ts'
import type { Admission, Services } from '../services.ts'

/**
 * The rate-limit seam. It stands behind authentication, because a caller pays as its key or user; whoever has no valid
 * credential pays as its address.
 */
export async function askLimiter(
  services: Services,
  path: string,
  caller: Caller | null,
  address: string | null,
): Promise<Admission | null> {
  return services.limiter ? services.limiter.admit({ path, subject: subjectOf(caller, address) }) : null
}

function subjectOf(caller: Caller | null, address: string | null): string {
  if (caller === null) return `ip:${address ?? 'unknown'}`
  return caller.credential.kind === 'key' ? `k:${caller.credential.id}` : `u:${caller.user.id}`
}

export const rateLimited = (retryAfter: number) =>
  new AppError('RATE_LIMITED', 'Too many requests. Try again later.', { retry_after: retryAfter }, { retryAfter })
