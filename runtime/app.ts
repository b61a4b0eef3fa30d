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

/** The whole service as one Fetch handler, for a host whose ports live as long as the process. */
export function createApp(host: Services, addonRoutes: readonly Route[] = []): App {
  const handle = createHandler(addonRoutes)
  const services: Services = {
    ...host,
    readiness: host.readiness ?? rememberReadiness(host.db, host.clock, host.catalogue),
  }
  return { fetch: (request, address = null) => handle(services, request, address) }
}

export type Handler = (services: Services, request: Request, address: string | null) => Promise<Response>

/** The same for a host that has new ports for every request. */
export function createHandler(addonRoutes: readonly Route[]): Handler {
  const serve = createRouter([...routes, ...addonRoutes])
  return (services, request, address) => serve(openExchange(services, request, address))
}
