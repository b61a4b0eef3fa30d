import { requireCsrf } from '../auth/csrf.ts'
import type { Caller } from '../auth/principal.ts'
import { AppError, unauthorized } from '../errors.ts'
import type { Services } from '../services.ts'
import { translatePgError } from '../sql.ts'
import { authenticate } from './authenticate.ts'
import { decodeUtf8, readBytes, requireJson } from './body.ts'
import type { Incoming } from './incoming.ts'
import { parseJson } from './json.ts'
import { askLimiter, rateLimited } from './limit.ts'
import { parseInput } from './parse.ts'
import { newRequestId, suppliedRequestId } from './request-id.ts'
import { type Answer, failure, respond } from './respond.ts'
import type { Exchange, Route } from './route.ts'
import { workAs } from './unit-of-work.ts'

export function openExchange(services: Services, request: Incoming, address: string | null): Exchange {
  const suppliedId = suppliedRequestId(request.headers.get('x-request-id'))
  return {
    services,
    request,
    requestId: suppliedId ?? newRequestId(services.random),
    suppliedId,
    startedAt: services.clock(),
    address,
    params: {},
  }
}

/** The one way a request takes: authenticate → limit → CSRF → parse → unit of work → handle → error → observe. */
export async function serve(route: Route, exchange: Exchange): Promise<Response> {
  const headers: Record<string, string> = {}
  try {
    return close(exchange, route.path, await handle(route, exchange, headers), headers)
  } catch (error) {
    return refuse(exchange, route.path, error, headers)
  }
}

async function handle(route: Route, exchange: Exchange, headers: Record<string, string>): Promise<Answer> {
  const { services, request, address } = exchange
  const caller = await authenticate(services, route.auth, request.headers)
  const admission = await askLimiter(services, route.path, caller, address)
  if (admission !== null) {
    Object.assign(headers, admission.headers)
    if (!admission.admitted) throw rateLimited(admission.retryAfter)
  }
  if (caller === null && route.auth !== 'none') throw unauthorized()
  if (caller !== null && !isSafe(request.method)) guardSession(services, request, caller)
  const query = route.query && parseInput(route.query, queryOf(request.url), 'query')
  const { body, rawBody } = await bodyOf(request, route.body)
  const context = { ...exchange, caller, env: null, query, body, rawBody }
  if (caller === null || route.tx === 'none') return route.handle(context)
  return workAs(exchange, caller, route.tx, async (env) => route.handle({ ...context, env }))
}

const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** A cookie travels with requests its owner never meant to send; a key does not. */
function guardSession(services: Services, request: Incoming, { credential }: Caller): void {
  if (credential.kind !== 'session') return
  const { origin } = new URL(services.publicUrl ?? request.url)
  requireCsrf(request.headers, origin, credential.csrfSecret, request.headers.get('x-csrf-token'))
}

/** A name given twice has a list of values. */
function queryOf(url: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>()
  for (const [name, value] of new URL(url).searchParams) {
    const earlier = query.get(name)
    query.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  return Object.fromEntries(query)
}

async function bodyOf(request: Incoming, expected: Route['body']) {
  if (!expected) return { body: undefined, rawBody: new Uint8Array() }
  requireJson(request.headers)
  const rawBody = await readBytes(request, expected.limit)
  return { body: parseInput(expected.schema, parseJson(decodeUtf8(rawBody))), rawBody }
}

/** Answers an error. Faults of ours go to the log with their cause; the caller sees a neutral sentence. */
export function refuse(
  exchange: Exchange,
  path: string,
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const refusal = translatePgError(error)
  const { services, requestId } = exchange
  if (!(refusal instanceof AppError) || refusal.status >= 500)
    services.observe({ kind: 'failure', requestId, error: refusal })
  return close(exchange, path, failure(refusal, requestId), headers)
}

/** Makes the response and tells the host. `path` is the route's, never the caller's: it becomes a label. */
export function close(
  exchange: Exchange,
  path: string,
  answer: Answer,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { services, request, requestId, suppliedId, startedAt } = exchange
  const ms = services.clock().getTime() - startedAt.getTime()
  services.observe({ kind: 'request', requestId, method: request.method, path, status: answer.status, ms })
  const extra = suppliedId === null ? headers : { ...headers, 'x-request-id': suppliedId }
  return respond(services, answer, extra, request.method === 'HEAD')
}
