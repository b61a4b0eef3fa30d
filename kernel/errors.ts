import type { Reason, ReasonOf } from './reasons.ts'

/** Every error code of the API with its HTTP status. */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  ACCESS_DENIED: 403,
  CSRF: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  MISDIRECTED: 421,
  VALIDATION: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
export type ErrorDetails = Readonly<Record<string, unknown>>

/** An error whose message may be shown to the caller; any other exception becomes INTERNAL. Created by `refusal` and the functions below. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** A slug of `REASONS` or of an addon's own reasons; also part of the details. */
  readonly reason: Reason
  readonly details: ErrorDetails
  /** Seconds the caller should wait; becomes `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, reason: Reason, message: string, details: ErrorDetails, extra: ErrorExtra) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = 'AppError'
    this.code = code
    this.reason = reason
    this.details = { ...details, reason }
    this.retryAfter = extra.retryAfter
    this.headers = extra.headers ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

export interface ErrorExtra {
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An error of any code; the reason must be one of those listed for the code. */
export const refusal = <C extends ErrorCode>(
  code: C,
  reason: ReasonOf<C>,
  message: string,
  details: ErrorDetails = {},
  extra: ErrorExtra = {},
) =>
  // TypeScript cannot see that `ReasonOf<C>` is a `Reason` while `C` is generic.
  new AppError(code, reason as Reason, message, details, extra)

const makerOf =
  <C extends ErrorCode>(code: C) =>
  (reason: ReasonOf<C>, message: string, details?: ErrorDetails) =>
    refusal(code, reason, message, details)

export const badRequest = makerOf('BAD_REQUEST')

export const accessDenied = makerOf('ACCESS_DENIED')

export const notFound = makerOf('NOT_FOUND')

export const conflict = makerOf('CONFLICT')

/** Values that a field or a check does not accept; `fields` has a message per field. */
export const invalid = (
  reason: ReasonOf<'VALIDATION'>,
  fields: Readonly<Record<string, string>>,
  message = Object.values(fields)[0] ?? 'The values are not valid.',
) => refusal('VALIDATION', reason, message, { fields })

/** The messages by field, for a form that is shown again; a message about the whole form has the empty name. */
export const problemsOf = ({ message, details }: AppError): Readonly<Record<string, string>> =>
  // `fields` is set only by `invalid` and the translation of PostgreSQL's errors, both with a message per field.
  (details.fields as Readonly<Record<string, string>> | undefined) ?? { '': message }

export const unavailable = (reason: ReasonOf<'UNAVAILABLE'>, message: string, retryAfter = 1, cause?: unknown) =>
  refusal('UNAVAILABLE', reason, message, {}, { retryAfter, cause })

/** There are no tables yet, or no settings to find them with. */
export const notSetUp = (cause: unknown) => unavailable('not_ready', 'The service has not been set up yet.', 5, cause)

/** An answer that would be too large is refused before it is built. */
export const answerTooLarge = (bytes: number) =>
  badRequest(
    'limit_exceeded',
    `The answer would be larger than ${bytes / 1_048_576} MB. Ask for fewer records with limit, or for fewer fields.`,
  )

/** A request took longer in total than it may. */
export const tookTooLong = () => unavailable('timed_out', 'The request took too long and was stopped.', 5)

/** Whether an error is only the consequence of a caller that left: its statement was cancelled, or its body ended early. */
export const isOfLeaving = (error: unknown, { signal }: Request): boolean =>
  signal.aborted && error instanceof AppError && (error.code === 'UNAVAILABLE' || error.reason === 'body_not_json')

/** The caller left before the answer was ready. */
export const callerLeft = () => unavailable('timed_out', 'The caller left before the answer was ready.')
