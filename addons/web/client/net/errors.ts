import { t } from '../core/i18n.ts'

/** Codes of the server, and those only a browser knows. */
export type ClientErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'ACCESS_DENIED'
  | 'CSRF'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA'
  | 'MISDIRECTED'
  | 'VALIDATION'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  /** No answer at all. */
  | 'OFFLINE'
  /** A required field is empty; nothing was sent. */
  | 'validation'
  /** The user cancelled a question that the call depended on. */
  | 'CANCELLED'

export interface ErrorFacts {
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string
  readonly status?: number
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/** A failed call, with a message for the user. */
export class CallError extends Error {
  readonly code: ClientErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** Names the call in the server's log. */
  readonly requestId: string | null
  readonly status: number
  readonly retryAfter: number | null

  constructor(code: ClientErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'CallError'
    this.code = code
    this.details = facts.details ?? {}
    this.requestId = requestIdOf(this.details) ?? facts.requestId ?? null
    this.status = facts.status ?? 0
    this.retryAfter = facts.retryAfter ?? null
  }

  /** Sentence per field, of a refused value. */
  get fields(): Readonly<Record<string, string>> {
    const { fields } = this.details
    // The server's envelope declares `details.fields` as text by field name.
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, string>) : {}
  }
}

/** The server names the call itself when something unforeseen happened. */
const requestIdOf = ({ request_id }: Readonly<Record<string, unknown>>): string | null =>
  typeof request_id === 'string' ? request_id : null

/** The client's own refusal before any call: a required field without a value. */
export const missingFields = (fields: Readonly<Record<string, string>>): CallError =>
  new CallError('validation', t('Some required fields are empty.'), { details: { fields } })

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** Whether the user cancelled the call, so that no message is needed. */
export const isCancelled = (error: unknown): boolean => error instanceof CallError && error.code === 'CANCELLED'

export interface Explanation {
  readonly title: string
  readonly text: string
  readonly requestId: string | null
  /** Whether a retry may succeed a moment later. */
  readonly retry: boolean
}

/** An error as one heading and one sentence. `again`: beside the words is a button to try again. */
export function explain(error: unknown, again?: unknown): Explanation {
  if (!(error instanceof CallError)) {
    return { title: t('Something went wrong'), text: t('Reload the page to go on.'), requestId: null, retry: true }
  }
  const { code, message, requestId } = error
  const title = titleOf(code)
  const retry = /^(OFFLINE|UNAVAILABLE|RATE_LIMITED|REQUEST_TIMEOUT|INTERNAL)$/.test(code)
  return {
    title,
    text:
      code === 'OFFLINE'
        ? again
          ? t('The server did not answer. Trying again is safe.')
          : t('The server did not answer.')
        : // Where no field shows what is wrong with it, the sentences about fields are the reason.
          Object.values(error.fields).join(' ') || message,
    requestId,
    retry,
  }
}

function titleOf(code: ClientErrorCode): string {
  switch (code) {
    case 'ACCESS_DENIED':
      return t('You are not allowed to do this')
    case 'NOT_FOUND':
      return t('There is nothing here')
    case 'CONFLICT':
      return t('This conflicts with other data')
    case 'VALIDATION':
    case 'validation':
      return t('Some values are not valid')
    case 'OFFLINE':
      return t('No connection')
    case 'RATE_LIMITED':
    case 'UNAVAILABLE':
      return t('The server is busy')
    case 'UNAUTHORIZED':
    case 'CSRF':
      return t('Your session has ended')
    default:
      return t('Something went wrong')
  }
}
