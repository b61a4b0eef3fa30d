import { isAdministrator } from '../access/administrator.ts'
import { type CsrfLock, csrfLock } from '../auth/csrf.ts'
import { formSecret } from '../auth/form-token.ts'
import { forgetCaller, type KnownCaller, Proof, Unproven } from '../auth/known-callers.ts'
import type { Caller } from '../auth/principal.ts'
import { requireSignature } from '../auth/signature.ts'
import { AppError, accessDenied, type ErrorCode, isOfLeaving, refusal } from '../errors.ts'
import { decodeUtf8, readBytes, requireJson } from '../http/body.ts'
import { listRepeated, parseForm } from '../http/form.ts'
import { parseJson } from '../http/json.ts'
import { readMultipart } from '../http/multipart.ts'
import { safeNext } from '../http/next.ts'
import { parseInput } from '../http/parse.ts'
import { newRequestId, suppliedRequestId } from '../http/request-id.ts'
import { type Answer, failure, failureHeaders, presentable, redirect, respond } from '../http/respond.ts'
import { requireSameSite } from '../http/same-site.ts'
import { isDataAddress, wantsJson, wantsPage } from '../http/wants.ts'
import { CALLER_LEFT } from '../observation.ts'
import { errorPage } from '../page/error-page.ts'
import type { Services, Timer } from '../services.ts'
import { translatePgError } from '../sql/pg-error.ts'
import { Outdated } from '../work/outdated.ts'
import { workAs } from '../work/unit-of-work.ts'
import { authenticate, guessCaller, sentApiKey } from './authenticate.ts'
import { checkRateLimit, enterWork, rateLimited, subjectOf } from './limit.ts'
import { renewSession } from './renew-session.ts'
import type { Exchange, Route } from './route.ts'

export function openExchange(services: Services, request: Request, address: string | null): Exchange {
  const suppliedId = suppliedRequestId(request.headers.get('x-request-id'))
  return {
    services: services.startTrace ? { ...services, trace: services.startTrace(request) } : services,
    request,
    requestId: suppliedId ?? newRequestId(services.random),
    suppliedId,
    startedAt: services.clock(),
    address,
    params: {},
  }
}

/** The pipeline of every request: authenticate → limit → CSRF → rights → parse → unit of work → handle → error → observe. */
export async function serveRoute(route: Route, exchange: Exchange): Promise<Response> {
  const noted: Noted = { headers: {}, caller: null, paidBy: null, bytes: null }
  try {
    return close(exchange, route.path, await handle(route, exchange, noted), noted.headers, noted)
  } catch (error) {
    return respondError(exchange, route.path, error, noted.headers, noted)
  }
}

/** Facts collected while a request is handled, for the log, whether it succeeds or fails. */
interface Noted {
  readonly headers: Record<string, string>
  caller: Caller | null
  /** The subject whose allowance the request was taken from. */
  paidBy: string | null
  /** The body, which can be read only once. */
  bytes: Promise<Uint8Array> | null
}

async function handle(route: Route, exchange: Exchange, noted: Noted): Promise<Answer> {
  const { services, request } = exchange
  const guess = route.isProvable && services.forRequest ? guessCaller(services, route.auth, request.headers) : undefined
  const guessed = guess && (await handleAs(guess, route, exchange, noted))
  if (guessed) return guessed
  if (guess) forgetCaller(services, guess)
  for (let attempt = 1; ; attempt++) {
    try {
      return await handleAsFound(route, exchange, noted)
    } catch (error) {
      if (!isOutOfDate(error) || attempt === MAX_ATTEMPTS || !isRepeatable(route)) throw error
    }
  }
}

/** How often a request is begun while modules or the rights of its caller change each time. */
const MAX_ATTEMPTS = 3

const isOutOfDate = (error: unknown): boolean => error instanceof Outdated || error instanceof Unproven

/** Whether a request has no effect once its unit of work has failed. An upload can be read only once. */
const isRepeatable = ({ tx, isProvable = false, body }: Route): boolean =>
  (tx !== 'none' || isProvable) && !body?.isUpload

async function handleAsFound(route: Route, exchange: Exchange, noted: Noted): Promise<Answer> {
  const { services, request } = exchange
  const found = await authenticate(useAuthDb(services), route.auth, request.headers)
  // What cannot be handled again as a whole goes on with the rights that it began with.
  const caller = found && !isRepeatable(route) ? { ...found, proof: undefined } : found
  noted.caller = caller
  services.trace?.lap('auth')
  await payFor(route, exchange, caller, noted)
  if (route.auth === 'signed') requireSignature(services, route, request.headers)
  if (caller === null)
    return route.auth === 'none' || route.auth === 'signed'
      ? work(route, withAuthDb(exchange), null, noted)
      : turnAway(route, exchange)
  return workInTurn(route, route.isSmall ? withAuthDb(exchange) : exchange, caller, noted)
}

/**
 * Handles a request as the remembered caller, who is verified in the round trip of its first statement. Null: the caller is out of date,
 * modules have changed, or no statement was sent; then the request had no effect and must be authenticated first.
 */
async function handleAs(guess: KnownCaller, route: Route, exchange: Exchange, noted: Noted): Promise<Answer | null> {
  const proof = new Proof(guess)
  // Not a spread, for the sake of hidden classes (runtime/README.md).
  const caller = Object.assign({}, guess.caller, { proof })
  try {
    exchange.services.trace?.lap('auth')
    await payFor(route, exchange, caller, noted)
    const answer = await workInTurn(route, exchange, caller, noted)
    if (!proof.isProven) return null
    noted.caller = caller
    return answer
  } catch (error) {
    const known = translatePgError(error)
    if (isOutOfDate(known)) return null
    // Any caller may know that the service is busy, and authentication would only take longer.
    const isForAnybody = known instanceof AppError && known.code === 'UNAVAILABLE'
    if (!proof.isProven && !isForAnybody) return null
    noted.caller = caller
    throw known
  }
}

/** Takes the request from the allowance of its caller, once. */
async function payFor(
  { path }: Route,
  { services, address }: Exchange,
  caller: Caller | null,
  noted: Noted,
): Promise<void> {
  const payer = subjectOf(caller, address)
  if (noted.paidBy === payer) return
  const admission = await checkRateLimit(services, path, payer)
  Object.assign(noted.headers, admission?.headers)
  if (admission && !admission.admitted) throw rateLimited(admission.retryAfter)
  noted.paidBy = payer
}

async function workInTurn(route: Route, exchange: Exchange, caller: Caller, noted: Noted): Promise<Answer> {
  const leave = await enterWork(exchange.services, caller)
  exchange.services.trace?.lap('admit')
  try {
    return await work(route, exchange, caller, noted)
  } finally {
    leave()
  }
}

/** Sign-in and anonymous requests use the connections kept for them, so that they never wait for other requests. */
const useAuthDb = (services: Services): Services =>
  services.authDb ? { ...services, db: services.authDb, forRequest: undefined } : services

const withAuthDb = (exchange: Exchange): Exchange => ({ ...exchange, services: useAuthDb(exchange.services) })

async function work(route: Route, exchange: Exchange, caller: Caller | null, noted: Noted): Promise<Answer> {
  const { request } = exchange
  const lock = isSafe(request.method) || route.auth === 'signed' ? null : lockOf(exchange, caller)
  lock?.origin()
  if (isSafe(request.method) && caller?.credential.kind === 'session' && !isForAnySite(route, request))
    requireSameSite(request.headers)
  requireRights(route, caller)
  const query = route.query && parseInput(route.query, listRepeated(new URL(request.url).searchParams), 'query')
  const { body, rawBody } = await bodyOf(exchange, route.body, lock, noted)
  exchange.services.trace?.lap('parse')
  // Not a spread, for the sake of hidden classes (runtime/README.md).
  const context = Object.assign({}, exchange, { caller, env: null, query, body, rawBody })
  const answer =
    caller === null || route.tx === 'none'
      ? await route.handle(context)
      : await workAs(exchange, caller, route.tx, async (env) => route.handle({ ...context, env }))
  return caller === null ? answer : renewSession(exchange, caller, answer)
}

/** Rights are checked before the input is validated, since validation errors would tell other callers what a route accepts. */
function requireRights({ forAdministrators: sentence }: Route, caller: Caller | null): void {
  if (sentence === undefined || (caller !== null && isAdministrator(caller))) return
  const t = caller?.state.registry.translatorIn(caller.user.lang)
  throw accessDenied('group_required', t?.(sentence) ?? sentence)
}

/** Pages may be opened by links of other sites; data is only for the pages of this service. */
const isForAnySite = ({ isPage = false }: Route, request: Request) => isPage && !wantsJson(request)

const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** The answer to a caller who is not signed in: pages redirect to the sign-in, requests for data get UNAUTHORIZED. */
function turnAway(route: Route, exchange: Exchange): Answer {
  const { request } = exchange
  const isPage = isSafe(request.method) ? !isDataAddress(request.url) && !wantsJson(request) : wantsPage(request)
  if (!isPage) throw unauthorized(route, request.headers)
  const { pathname, search } = new URL(request.url)
  const next = isSafe(request.method) ? safeNext(pathname + search) : safeNext(null)
  return redirect(`/web/login?next=${encodeURIComponent(next)}`)
}

function unauthorized({ auth }: Route, headers: Headers): AppError {
  if (!sentApiKey(headers)) return refusal('UNAUTHORIZED', 'credential_missing', 'Sign in or send a valid API key.')
  return auth === 'session-or-key'
    ? refusal('UNAUTHORIZED', 'key_invalid', 'The API key is not valid: it is unknown, revoked or expired.')
    : refusal('UNAUTHORIZED', 'key_not_taken', 'This address takes no API key. Sign in instead.')
}

/**
 * The CSRF checks of a request. Browsers send cookies also with forged requests; they never send API keys, so requests with a key need
 * no check.
 */
function lockOf({ services, request, startedAt }: Exchange, caller: Caller | null): CsrfLock | null {
  if (caller?.credential.kind === 'key') return null
  const { origin } = new URL(services.publicUrl ?? request.url)
  const secret = caller ? caller.credential.csrfSecret : formSecret(services, request.headers, startedAt)
  return csrfLock(request.headers, { origin, secret, isAnonymous: caller === null })
}

async function bodyOf({ request, services }: Exchange, expected: Route['body'], lock: CsrfLock | null, noted: Noted) {
  const { headers } = request
  const header = headers.get('x-csrf-token')
  if (expected?.isUpload) return uploadOf(request, services.timer, expected, lock, header)
  if (!expected?.form) lock?.token(header)
  if (!expected) return { body: undefined, rawBody: new Uint8Array() }
  if (!expected.form) requireJson(headers)
  noted.bytes ??= readBytes(request, expected.limit, services.timer)
  const rawBody = await noted.bytes
  if (!expected.form) return { body: parseInput(expected.schema, parseJson(decodeUtf8(rawBody))), rawBody }
  const { fields, csrfToken } = parseForm(headers, rawBody)
  lock?.token(header ?? csrfToken)
  return { body: parseInput(expected.schema, fields), rawBody }
}

/** A token in the header is checked before the body is read; one in the form as soon as the body has arrived. */
async function uploadOf(
  request: Request,
  timer: Timer,
  { schema, limit }: NonNullable<Route['body']>,
  lock: CsrfLock | null,
  header: string | null,
) {
  if (header !== null) lock?.token(header)
  const { fields, file } = await readMultipart(request, limit, timer)
  const { csrf_token = null, ...rest } = fields
  lock?.token(header ?? csrf_token)
  return { body: parseInput(schema, file === null ? rest : { ...rest, file }), rawBody: new Uint8Array() }
}

/** Answers an error. Unexpected errors are logged with their cause; the caller gets a neutral sentence. */
export function respondError(
  exchange: Exchange,
  path: string,
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
  { caller }: Pick<Noted, 'caller'> = NOBODY,
): Response {
  const known = translatePgError(error)
  const { services, request, requestId } = exchange
  const hasLeft = isOfLeaving(known, request)
  const isFault = !(known instanceof AppError) || known.status >= 500
  if (isFault && !hasLeft)
    services.observe({ kind: 'failure', requestId, error: known, route: `${request.method} ${path}` })
  const shown = presentable(known, requestId)
  const about = { caller, code: hasLeft ? null : shown.code, hasLeft }
  if (!wantsPage(request)) return close(exchange, path, failure(shown), headers, about)
  const answer = errorPage({ ...exchange, caller }, shown, requestId)
  return close(exchange, path, answer, { ...failureHeaders(shown), ...headers }, about)
}

/** Facts for the report of a request, besides the answer. */
interface About {
  readonly caller: Caller | null
  readonly code?: ErrorCode | null
  /** The caller did not wait for the answer. */
  readonly hasLeft?: boolean
}

const NOBODY: About = { caller: null }

/**
 * Creates the response and reports it to the host. `path` is the pattern of the route, not the URL, because it becomes a
 * metric label.
 */
export function close(
  exchange: Exchange,
  path: string,
  answer: Answer,
  headers: Readonly<Record<string, string>> = {},
  { caller, code = null, hasLeft = false }: About = NOBODY,
): Response {
  const { services, request, requestId, suppliedId, startedAt } = exchange
  const ms = services.clock().getTime() - startedAt.getTime()
  const { method } = request
  const userId = caller?.user.id ?? null
  const status = hasLeft ? CALLER_LEFT : answer.status
  services.trace?.lap('serialise')
  const timing = services.trace?.end({ requestId, method, path, status }) ?? null
  services.observe({
    kind: 'request',
    ...{ requestId, method, path, status, ms, userId, code },
    ...(timing !== null && { timing }),
  })
  const extra = {
    ...headers,
    ...(suppliedId !== null && { 'x-request-id': suppliedId }),
    ...(timing !== null && { 'server-timing': timing }),
  }
  return respond(services, answer, extra, method === 'HEAD')
}
