/** The allowance of a subject: `limit` requests at once, refilled evenly over the window. */
export interface RatePolicy {
  readonly limit: number
  readonly windowSeconds: number
  /** Share of the allowance that each process grants by itself while the database is unreachable. */
  readonly shareAlone: number
}

export type RatePolicyName =
  | 'rpc'
  | 'page'
  | 'bus'
  | 'login_address'
  | 'login_account'
  | 'login_device'
  | 'confirm'
  | 'reset_address'
  | 'reset_account'
  | 'mail_test'

/** Null: not limited. */
export type RatePolicies = Readonly<Record<RatePolicyName, RatePolicy | null>>

/** Every limit of the service. `rpm` is the setting: calls per minute, 0 for no limit. Mails have a low limit in any case. */
export function ratePolicies(rpm: number): RatePolicies {
  const call = rpm === 0 ? null : { limit: rpm, windowSeconds: 60, shareAlone: 1 }
  const login = call && { ...call, limit: Math.max(1, Math.round(rpm / 10)), shareAlone: 1 / 4 }
  const reset = { windowSeconds: 3_600, shareAlone: 1 / 4 }
  return {
    rpc: call,
    page: call,
    bus: call && { ...call, limit: Math.max(1, Math.round(rpm / 10)) },
    login_address: login,
    // Much more than for an address: it slows down guesses from many addresses, but must not make it easy to lock the owner out.
    login_account: login && { ...login, limit: 5 * login.limit },
    login_device: login,
    confirm: login,
    reset_address: { ...reset, limit: 10 },
    reset_account: { ...reset, limit: 3 },
    // Each one connects to a server that the administrator names.
    mail_test: { limit: 10, windowSeconds: 300, shareAlone: 1 / 4 },
  }
}

/** Microseconds until one request is refilled; a whole number, so that exactly `limit` fit into the window. */
export const periodOf = ({ limit, windowSeconds }: RatePolicy): number =>
  Math.floor((windowSeconds * 1_000_000) / limit)
