import { routes } from '../handlers/index.ts'
import { createRouter } from '../handlers/router.ts'
import type { Route } from '../kernel/serve/route.ts'
import { openExchange } from '../kernel/serve/serve.ts'
import type { Services } from '../kernel/services.ts'
import { rememberReadiness } from './readiness.ts'

export interface App {
  /** `address`: where the request comes from, as far as the host knows. */
  fetch(request: Request, address?: string | null): Promise<Response>
}

/** Which of the routes are served. */
export type Takes = (route: Route) => boolean

/** Every route as one Fetch handler, for a host whose services live as long as the process. */
export function serveAll(host: Services, addonRoutes: readonly Route[] = [], takes: Takes = () => true): App {
  const handle = createHandler(addonRoutes, takes)
  const services: Services = {
    ...host,
    readiness: host.readiness ?? rememberReadiness(host.db, host.clock, host.catalogue),
  }
  return { fetch: (request, address = null) => handle(services, request, address) }
}

/** The address of a caller, from the arguments that a host passes to a Fetch handler after the request. */
export type AddressOf = (request: Request, ...more: readonly unknown[]) => string | null

/** A Fetch handler as hosts mount it. Arguments after the request are only used by `AddressOf`. */
export type Fetch = (request: Request, ...more: readonly unknown[]) => Promise<Response>

/** One route as a Fetch handler, to be deployed as a separate function. Other addresses get 404. */
export function serve(route: Route, services: Services, addressOf: AddressOf = () => null): Fetch {
  const handle = createRouter([route])
  return (request, ...more) => handle(openExchange(services, request, addressOf(request, ...more)))
}

export type Handler = (services: Services, request: Request, address: string | null) => Promise<Response>

/** Every route as one handler, for a host that makes its services anew for every request. */
export function createHandler(addonRoutes: readonly Route[], takes: Takes = () => true): Handler {
  const answer = createRouter([...routes, ...addonRoutes].filter(takes))
  return (services, request, address) => answer(openExchange(services, request, address))
}
