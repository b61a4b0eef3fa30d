import { type IRequest, IttyRouter } from 'itty-router'
import { badRequest, notFound, refusal } from '../kernel/errors.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Exchange, Route } from '../kernel/serve/route.ts'
import { close, respondError, serveRoute } from '../kernel/serve/serve.ts'
import { createSetupGate } from './setup-gate.ts'

/** Label of requests that no route serves. */
const UNMATCHED = 'unmatched'

const SETUP_PATH = '/setup'

export type Serve = (exchange: Exchange) => Promise<Response>

/** Folds routes into one function. A GET route answers HEAD too. */
export function createRouter(routes: readonly Route[]): Serve {
  const router = IttyRouter<IRequest, [Exchange]>()
  for (const route of routes) {
    const answer = (request: IRequest, exchange: Exchange) => serveRoute(route, { ...exchange, params: request.params })
    if (route.method === 'POST') router.post(route.path, answer)
    else router.get(route.path, answer).head(route.path, answer)
  }

  function refuseUnmatched(exchange: Exchange): Response {
    const { pathname } = new URL(exchange.request.url)
    const methods = router.routes.filter(([, pattern]) => pattern.test(pathname)).map(([method]) => method)
    if (methods.length > 0) return respondError(exchange, UNMATCHED, methodNotAllowed(), { allow: methods.join(', ') })
    return respondError(exchange, UNMATCHED, notFound('address_unknown', 'There is nothing at this address.'))
  }

  /** The pattern of the route that would serve the request, for requests that are answered before their route. */
  function labelOf({ request }: Exchange): string {
    const { pathname } = new URL(request.url)
    return router.routes.find(([method, url]) => method === request.method && url.test(pathname))?.[3] ?? UNMATCHED
  }

  // Without routes for the wizard, pages cannot redirect to it.
  const passSetupGate = routes.some(({ path }) => path === SETUP_PATH) ? createSetupGate() : async () => null

  return async (exchange) => {
    const { url } = exchange.request
    if (url.length > LIMITS.urlBytes)
      return respondError(exchange, UNMATCHED, badRequest('limit_exceeded', 'The URL is too long.'))
    try {
      const answer = await passSetupGate(exchange)
      if (answer !== null) return close(exchange, labelOf(exchange), answer)
    } catch (error) {
      return respondError(exchange, labelOf(exchange), error)
    }
    try {
      const response: Response | undefined = await router.fetch(exchange.request, exchange)
      return response ?? refuseUnmatched(exchange)
    } catch {
      // `serveRoute` never throws, so parsing the URL has failed.
      return respondError(exchange, UNMATCHED, badRequest('url_invalid', 'The URL is not valid.'))
    }
  }
}

const methodNotAllowed = () => refusal('METHOD_NOT_ALLOWED', 'http_method', 'This address does not serve the method.')
