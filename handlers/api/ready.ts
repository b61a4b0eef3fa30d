import { unavailable } from '../../kernel/errors.ts'
import { failure, jsonAnswer } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/serve/route.ts'
import type { Readiness } from '../../kernel/services.ts'

/** GET /api/ready: whether this process should get requests, for load balancers. */
export const get = route({
  method: 'GET',
  path: '/api/ready',
  auth: 'none',
  tx: 'none',
  async handle({ services }) {
    const { ready, reason } = services.stopping() ? STOPPING : ((await services.readiness?.()) ?? READY)
    // Returned, not thrown: errors are logged, and load balancers call this every second.
    return ready ? jsonAnswer({ ok: true }) : failure(unavailable('not_ready', reason))
  },
})

const READY: Readiness = { ready: true, reason: '' }
const STOPPING: Readiness = { ready: false, reason: 'The service is shutting down.' }
