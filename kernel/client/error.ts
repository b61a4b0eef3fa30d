import type { ErrorCode } from '../errors.ts'

interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What an answer says about a failure: its status, its envelope if it has one, and when to try again. */
export interface Failure {
  readonly status: number
  readonly error: WireError | null
  readonly retryAfter: number | null
}

/** A refused call. `code` is one of the contract's error codes; `details.fields` names refused fields. */
export class ModulusError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds to wait before another try, where the service says so. */
  readonly retryAfter: number | null

  constructor({ status, error, retryAfter }: Failure) {
    super(error?.message ?? `The service answered ${status} without saying why.`)
    this.name = 'ModulusError'
    this.status = status
    this.code = error?.code ?? PROXY_CODES[status] ?? 'INTERNAL'
    this.details = error?.details ?? {}
    this.retryAfter = retryAfter
  }
}

/** Answers of something in front of the service, which knows no envelope. */
const PROXY_CODES: Readonly<Partial<Record<number, ErrorCode>>> = {
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}
