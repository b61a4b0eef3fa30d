import { type Answer, redirect } from '../kernel/http/respond.ts'
import { awaitsSetup, openSetup } from '../kernel/module/setup.ts'
import type { Exchange } from '../kernel/serve/route.ts'

const SETUP = /^\/setup(\/|$)/

/** Pages of the service, except static files, which the wizard loads too. */
const PAGE = /^\/web(\/(?!static\/)|$)/

/**
 * Runs before routes are matched. Before the set-up every page redirects to it; afterwards its addresses are NOT_FOUND,
 * whatever the method and the body. Null: the routes answer.
 */
export function createSetupGate(): (exchange: Exchange) => Promise<Answer | null> {
  // A database that is in use is never set up again, so later pages need no query.
  let isInUse = false
  return async ({ services: { authDb, ...services }, request }) => {
    const { pathname } = new URL(request.url)
    const ports = authDb ? { ...services, db: authDb } : services
    if (SETUP.test(pathname)) await openSetup(ports)
    else if (!isInUse && PAGE.test(pathname)) {
      if (await awaitsSetup(ports)) return redirect('/setup')
      isInUse = true
    }
    return null
  }
}
