/** Every way a request can fail, once: the code on the wire and its HTTP status. */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  ACCESS_DENIED: 403,
  CSRF: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  VALIDATION: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
export type ErrorDetails = Readonly<Record<string, unknown>>

/** An error whose message may be shown to the caller. Anything else that is thrown becomes INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  /** Seconds the caller should wait; becomes `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, extra: ErrorExtra = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
    this.retryAfter = extra.retryAfter
    this.headers = extra.headers ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

interface ErrorExtra {
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

export const badRequest = (message: string, details?: ErrorDetails) => new AppError('BAD_REQUEST', message, details)

export const unauthorized = () => new AppError('UNAUTHORIZED', 'Sign in or send a valid API key.')

export const accessDenied = (message = 'You are not allowed to do this.', details?: ErrorDetails) =>
  new AppError('ACCESS_DENIED', message, details)

export const notFound = (message: string, details?: ErrorDetails) => new AppError('NOT_FOUND', message, details)

export const conflict = (message: string, details?: ErrorDetails) => new AppError('CONFLICT', message, details)

/** A value refused by a field or a check; `fields` names each field with one sentence. */
export const invalid = (fields: Readonly<Record<string, string>>, message?: string) =>
  new AppError('VALIDATION', message ?? Object.values(fields)[0] ?? 'The values are not valid.', { fields })

/** One sentence by field for a form that is shown again; under no name what is wrong with the whole of it. */
export const problemsOf = ({ message, details }: AppError): Readonly<Record<string, string>> =>
  // `invalid` is the one maker of VALIDATION, and its details are sentences by field.
  (details.fields as Readonly<Record<string, string>> | undefined) ?? { '': message }

export const unavailable = (message: string, retryAfter = 1, cause?: unknown) =>
  new AppError('UNAVAILABLE', message, {}, { retryAfter, cause })
