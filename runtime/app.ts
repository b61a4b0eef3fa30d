import { routes } from '../handlers/index.ts'
import { createRouter } from '../handlers/router.ts'
import type { Incoming } from '../kernel/http/incoming.ts'
import type { Route } from '../kernel/http/route.ts'
import { openExchange } from '../kernel/http/serve.ts'
import { isMigrated } from '../kernel/schema/migrate.ts'
import type { Readiness, Services } from '../kernel/services.ts'
import { kernelMigrations } from '../migrations/index.ts'

export interface App {
  /** `address`: where the request comes from, as far as the host knows. */
  fetch(request: Incoming, address?: string | null): Promise<Response>
}

/** The whole service as one Fetch handler over a host's ports. */
export function createApp(host: Services, addonRoutes: readonly Route[] = []): App {
  const serve = createRouter([...routes, ...addonRoutes])
  const services: Services = { ...host, readiness: host.readiness ?? rememberReadiness(host) }
  return { fetch: (request, address = null) => serve(openExchange(services, request, address)) }
}

const REMEMBERED_MS = 1_000

/** Asks the database at most once a second, however often load balancers ask. */
function rememberReadiness(services: Services): () => Promise<Readiness> {
  let answer: Promise<Readiness> | undefined
  let askedAt = 0
  return () => {
    const now = services.clock().getTime()
    if (answer === undefined || now - askedAt >= REMEMBERED_MS) {
      askedAt = now
      answer = probe(services)
    }
    return answer
  }
}

async function probe({ db }: Services): Promise<Readiness> {
  try {
    const ready = await isMigrated(db, kernelMigrations)
    return { ready, reason: ready ? '' : 'The database schema does not fit this version of the service.' }
  } catch {
    return { ready: false, reason: 'The database is not available.' }
  }
}
