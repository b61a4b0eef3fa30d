import { unavailable } from '../../kernel/errors.ts'
import { json } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/http/route.ts'

/** GET /api/ready: whether this process should get requests, for load balancers. */
export const get = route({
  method: 'GET',
  path: '/api/ready',
  auth: 'none',
  tx: 'none',
  async handle({ services }) {
    if (services.stopping()) throw unavailable('The service is shutting down.')
    const readiness = await services.readiness?.()
    if (readiness?.ready === false) throw unavailable(readiness.reason)
    return json({ ok: true })
  },
})
