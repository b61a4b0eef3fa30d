import { CallError, type ClientErrorCode, isAbort } from './errors.ts'

/** The functions of the browser that calls use; tests provide their own. */
export interface TransportPorts {
  readonly fetch: typeof fetch
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Unique text for request ids and idempotency keys. */
  readonly uniqueId: () => string
  /** 0 ≤ x < 1 */
  readonly random: () => number
}

export interface TransportHooks {
  readonly csrfToken: () => string
  /** Fetches a new token of the session; null if there is none. */
  readonly renewToken: () => Promise<string | null>
  /** Called when the session has ended: opens the sign-in page. */
  readonly onSignedOut: () => void
  readonly onReachable: (reachable: boolean) => void
  /** Asks the user for the password, as the server demands; with false the call ends as CANCELLED. */
  readonly confirmPassword: () => Promise<boolean>
}

export interface SendOptions {
  readonly method: 'GET' | 'POST'
  readonly body?: string
  readonly contentType?: string
  readonly signal?: AbortSignal
  /** Sent with every attempt, so that the server does it once. */
  readonly idempotencyKey?: string
  /** Whether another attempt after a lost answer is safe. */
  readonly repeatable: boolean
  /** Goes out even while the page is being closed; bodies up to 64 kB. */
  readonly keepalive?: boolean
  /** Without headers of our own: only such a request finds what the page has preloaded. */
  readonly plain?: boolean
  /** Asks for the newest state, not that of a replica. */
  readonly isNewest?: boolean
}

export interface Answer {
  readonly json: unknown
  readonly headers: Headers
}

export interface Transport {
  send(url: string, options: SendOptions): Promise<Answer>
  readonly uniqueId: () => string
}

const ATTEMPTS = 5
const FIRST_WAIT_MS = 300
const MAX_WAIT_MS = 15_000

/** One request with token, request id, retries while the server is busy, and readable errors. */
export function createTransport(ports: TransportPorts, hooks: TransportHooks): Transport {
  async function attempt(url: string, options: SendOptions): Promise<Answer> {
    const requestId = ports.uniqueId()
    const headers: Record<string, string> = options.plain
      ? {}
      : { accept: 'application/json', 'x-request-id': requestId }
    if (options.method === 'POST') headers['x-csrf-token'] = hooks.csrfToken()
    if (options.isNewest) headers['cache-control'] = 'no-cache'
    if (options.body !== undefined) headers['content-type'] = options.contentType ?? 'application/json'
    if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey
    const response = await ports
      .fetch(url, {
        method: options.method,
        headers,
        credentials: 'same-origin',
        ...(options.body !== undefined && { body: options.body }),
        ...(options.signal && { signal: options.signal }),
        ...(options.keepalive && { keepalive: true }),
      })
      .catch((cause: unknown) => {
        if (isAbort(cause)) throw cause
        throw new CallError('OFFLINE', 'No answer', { requestId, cause })
      })
    const json: unknown = await response.json().catch((cause: unknown) => {
      if (isAbort(cause)) throw cause
      // The error page of a proxy, or an answer that broke off.
      throw new CallError(response.ok ? 'OFFLINE' : statusCode(response.status), 'No readable answer', {
        requestId,
        status: response.status,
        cause,
      })
    })
    const refused = refusalOf(json)
    if (response.ok && !refused) return { json, headers: response.headers }
    const { code, message, details } = refused ?? {
      code: statusCode(response.status),
      message: response.statusText,
      details: {},
    }
    const retryAfter = retryAfterMs(response.headers.get('retry-after'))
    // A refusal says why; where the log has more, the server names the request itself.
    throw new CallError(code, message, { details, status: response.status, retryAfter })
  }

  async function send(url: string, options: SendOptions): Promise<Answer> {
    let renewed = false
    let confirmed = false
    for (let tries = 1; ; tries++) {
      try {
        const answer = await attempt(url, options)
        hooks.onReachable(true)
        return answer
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        if (error.code !== 'OFFLINE') hooks.onReachable(true)
        if (error.code === 'UNAUTHORIZED') hooks.onSignedOut()
        if (error.code === 'CSRF' && !renewed) {
          renewed = true
          if ((await hooks.renewToken()) !== null) continue
        }
        if (wantsPassword(error) && !confirmed) {
          confirmed = await hooks.confirmPassword()
          if (confirmed) continue
          throw new CallError('CANCELLED', error.message, { cause: error })
        }
        if (!mayRepeat(error, options) || tries === ATTEMPTS) {
          if (error.code === 'OFFLINE') hooks.onReachable(false)
          throw error
        }
        await ports.sleep(waitMs(tries, error.retryAfter, ports.random()), options.signal)
      }
    }
  }

  return { send, uniqueId: ports.uniqueId }
}

/** Whether the server refused only because the password was entered too long ago. */
export const wantsPassword = ({ code, details }: CallError): boolean =>
  code === 'ACCESS_DENIED' && typeof details['confirm'] === 'string'

/** A call refused because of load changed nothing, so it may be repeated; after a lost answer only a repeatable call may. */
function mayRepeat({ code }: CallError, { repeatable }: SendOptions): boolean {
  if (code === 'RATE_LIMITED') return true
  return repeatable && (code === 'UNAVAILABLE' || code === 'OFFLINE')
}

/** As long as the server says, otherwise twice as long each time; with jitter, so that tabs do not retry together. */
export function waitMs(tries: number, retryAfter: number | null, random: number): number {
  if (retryAfter !== null) return Math.min(retryAfter, MAX_WAIT_MS * 4) + random * 250
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS) * (0.5 + random / 2)
}

function retryAfterMs(header: string | null): number | null {
  const seconds = header === null ? Number.NaN : Number(header)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null
}

const BY_STATUS: Readonly<Record<number, ClientErrorCode>> = {
  401: 'UNAUTHORIZED',
  403: 'ACCESS_DENIED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}

const statusCode = (status: number): ClientErrorCode => BY_STATUS[status] ?? 'INTERNAL'

interface Refusal {
  readonly code: ClientErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The error of an envelope `{ok: false, error}`; null for anything else. */
function refusalOf(json: unknown): Refusal | null {
  if (typeof json !== 'object' || json === null || !('ok' in json) || json.ok !== false) return null
  // An envelope that is not ok carries this by contract.
  const { error } = json as unknown as { readonly error: Refusal }
  return { code: error.code, message: error.message, details: error.details ?? {} }
}
