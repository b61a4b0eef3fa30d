import { routes } from '../handlers/index.ts'
import { createRouter } from '../handlers/router.ts'
import type { Incoming } from '../kernel/http/incoming.ts'
import type { Route } from '../kernel/http/route.ts'
import { openExchange } from '../kernel/http/serve.ts'
import { isMigrated } from '../kernel/schema/migrate.ts'
import type { Readiness, Services } from '../kernel/services.ts'
import type { Db } from '../kernel/sql.ts'
import { kernelMigrations } from '../migrations/index.ts'

export interface App {
  /** `address`: where the request comes from, as far as the host knows. */
  fetch(request: Incoming, address?: string | null): Promise<Response>
}

/** The whole service as one Fetch handler, for a host whose ports live as long as the process. */
export function createApp(host: Services, addonRoutes: readonly Route[] = []): App {
  const handle = createHandler(addonRoutes)
  const services: Services = { ...host, readiness: host.readiness ?? rememberReadiness(host) }
  return { fetch: (request, address = null) => handle(services, request, address) }
}

export type Handler = (services: Services, request: Incoming, address: string | null) => Promise<Response>

/** The same for a host that has new ports for every request. */
export function createHandler(addonRoutes: readonly Route[]): Handler {
  const serve = createRouter([...routes, ...addonRoutes])
  return (services, request, address) => serve(openExchange(services, request, address))
}

const REMEMBERED_MS = 1_000

/** Asks the database at most once a second, however often load balancers ask. */
function rememberReadiness({ db, clock }: Services): () => Promise<Readiness> {
  let answer: Promise<Readiness> | undefined
  let askedAt = 0
  return () => {
    const now = clock().getTime()
    if (answer === undefined || now - askedAt >= REMEMBERED_MS) {
      askedAt = now
      answer = probeReadiness(db)
    }
    return answer
  }
}

export async function probeReadiness(db: Db): Promise<Readiness> {
  try {
    const ready = await isMigrated(db, kernelMigrations)
    return { ready, reason: ready ? '' : 'The database schema does not fit this version of the service.' }
  } catch {
    return { ready: false, reason: 'The database is not available.' }
  }
}
