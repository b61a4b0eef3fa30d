import type { ErrorCode } from '../errors.ts'
import type { Reason } from '../reasons.ts'

interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** A failed answer: its status, its envelope if it has one, and when to retry. */
export interface Failure {
  readonly status: number
  readonly error: WireError | null
  readonly retryAfter: number | null
}

/** A refused call. `reason` says why, within one of the error codes; `details.fields` names refused fields. */
export class ModulusError extends Error {
  readonly status: number
  readonly code: ErrorCode
  /** Null if the answer came from a proxy in front of the service. */
  readonly reason: Reason | null
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds to wait before a retry, if the service sent them. */
  readonly retryAfter: number | null

  constructor({ status, error, retryAfter }: Failure) {
    super(error?.message ?? `The service answered ${status} without saying why.`)
    this.name = 'ModulusError'
    this.status = status
    this.code = error?.code ?? PROXY_CODES[status] ?? 'INTERNAL'
    this.details = error?.details ?? {}
    // An addon may send a reason that `Reason` does not list here; it is a slug too.
    this.reason = (this.details['reason'] as Reason | undefined) ?? null
    this.retryAfter = retryAfter
  }
}

/** Codes for answers of a proxy in front of the service, which have no envelope. */
const PROXY_CODES: Readonly<Partial<Record<number, ErrorCode>>> = {
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}
