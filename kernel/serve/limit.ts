import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Caller } from '../auth/principal.ts'
import { callerLeft, refusal } from '../errors.ts'
import { addressSubject } from '../http/address.ts'
import type { Admission, LimitedRequest, Services, WorkGate } from '../services.ts'
import type { RatePolicyName } from './rate-policy.ts'

/** The rate limit policies of a route, by kind of caller. Sign-in and reset are also limited by account (below). */
const policyOf = (path: string): RatePolicyName | null => (UNCOUNTED.has(path) ? null : (POLICIES[path] ?? 'page'))

const POLICIES: Readonly<Record<string, RatePolicyName>> = { '/api/rpc': 'rpc', '/web/wc/bus': 'bus' }

/** Routes that cost nothing, or that must work without the database. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  '/',
  '/api/health',
  '/api/ready',
  '/web/static/:file',
  '/setup',
  '/setup/init',
  '/setup/progress',
])

/**
 * Runs after authentication, because a caller is limited by key or user, and by address only without a valid credential. Null
 * where nothing is limited.
 */
export async function checkRateLimit(services: Services, path: string, payer: string): Promise<Admission | null> {
  const policy = policyOf(path)
  if (policy === null || !services.limiter) return null
  return services.limiter.admit({ policy, subject: payer })
}

/** The subject whose allowance a request is taken from. */
export function subjectOf(caller: Caller | null, address: string | null): string {
  if (caller === null) return addressSubject(address)
  return caller.credential.kind === 'key' ? `k:${caller.credential.id}` : `u:${caller.user.id}`
}

/** Waits for a place among the few requests of a user that run at once. The returned function releases it. */
export async function enterWork({ workGate }: Services, { user }: Caller): Promise<() => void> {
  const leave = await workGate?.enter(`u:${user.id}`)
  if (leave === null) throw rateLimited(1)
  return leave ?? (() => {})
}

/** Waits for a place at a gate for long work, as long as the caller waits. The returned function releases it. */
export async function enterGate(
  gate: WorkGate | undefined,
  subject: string,
  { signal }: Pick<Request, 'signal'>,
): Promise<() => void> {
  const leave = await gate?.enter(subject, { signal })
  if (leave === null) throw signal.aborted ? callerLeft() : rateLimited(5)
  return leave ?? (() => {})
}

/** A caller who is not signed in and names an account, which may not exist. */
export interface Applicant {
  readonly address: string | null
  /** The login in the form in which it is compared. */
  readonly loginKey: string
  /** The browser, if the account has signed in there before. */
  readonly device?: string | null
}

/** Throws RATE_LIMITED if the address or the account has had too many sign-in attempts. A known browser counts by itself. */
export const limitLogin = (services: Services, applicant: Applicant): Promise<void> =>
  requireAll(services, loginRequests(services, applicant))

export const chargeFailedLogin = (services: Services, applicant: Applicant): Promise<void> =>
  chargeFailure(services, loginRequests(services, applicant))

const loginRequests = (services: Services, applicant: Applicant): readonly LimitedRequest[] =>
  applicant.device
    ? [{ policy: 'login_device', subject: `dev:${applicant.device}` }]
    : requestsOf(services, applicant, 'login_address', 'login_account')

/** Throws RATE_LIMITED if a user who is signed in has given a password too often. Sign-ins elsewhere do not count. */
export const limitConfirm = (services: Services, caller: Caller): Promise<void> =>
  requireAll(services, [confirmRequest(caller)])

export const chargeFailedConfirm = (services: Services, caller: Caller): Promise<void> =>
  chargeFailure(services, [confirmRequest(caller)])

const confirmRequest = (caller: Caller): LimitedRequest => ({ policy: 'confirm', subject: subjectOf(caller, null) })

/** Throws RATE_LIMITED if a user has tested mail settings too often. */
export const limitMailTest = (services: Services, caller: Caller): Promise<void> =>
  requireAll(services, [{ policy: 'mail_test', subject: subjectOf(caller, null) }])

/** A failed attempt costs three: one when it was admitted, and these. */
const FAILURE_COST = 2

async function chargeFailure({ limiter }: Services, requests: readonly LimitedRequest[]): Promise<void> {
  await Promise.all(requests.map((request) => limiter?.charge(request, FAILURE_COST)))
}

/** Throws RATE_LIMITED if too many reset links were requested. */
export const limitReset = (services: Services, applicant: Applicant): Promise<void> =>
  requireAll(services, requestsOf(services, applicant, 'reset_address', 'reset_account'))

const requestsOf = (
  { secretKey }: Services,
  { address, loginKey }: Applicant,
  byAddress: RatePolicyName,
  byAccount: RatePolicyName,
): readonly LimitedRequest[] => [
  { policy: byAddress, subject: addressSubject(address) },
  { policy: byAccount, subject: accountSubject(secretKey, loginKey) },
]

/** Keeps these hashes apart from other uses of the installation's secret. */
const PURPOSE = 'rate account 1:'

/** A hash, so that the table does not reveal which logins were tried. */
const accountSubject = (secretKey: Uint8Array, loginKey: string): string =>
  `acc:${bytesToHex(hmac(sha256, secretKey, utf8ToBytes(PURPOSE + loginKey)).subarray(0, 16))}`

/** Checks the limits one after the other: a request refused for its address must not use up the allowance of the account. */
async function requireAll({ limiter }: Services, requests: readonly LimitedRequest[]): Promise<void> {
  for (const request of requests) {
    const admission = await limiter?.admit(request)
    if (admission && !admission.admitted) throw rateLimited(admission.retryAfter, admission.headers)
  }
}

export const rateLimited = (retryAfter: number, headers: Admission['headers'] = {}) =>
  refusal(
    'RATE_LIMITED',
    'rate_limit',
    'Too many requests. Try again later.',
    { retry_after: Math.ceil(retryAfter) },
    { retryAfter, headers },
  )
