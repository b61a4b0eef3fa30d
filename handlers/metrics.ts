import { requireScope } from '../kernel/access/key-scope.ts'
import { accessDenied, notFound } from '../kernel/errors.ts'
import { route } from '../kernel/serve/route.ts'

/** GET /metrics: metrics of this process for Prometheus; for administrators. */
export const get = route({
  method: 'GET',
  path: '/metrics',
  auth: 'session-or-key',
  tx: 'read',
  async handle({ env, services }) {
    requireScope(env.user.scope, { model: 'metrics', method: 'read', isRead: true })
    if (!env.hasGroup('base.group_system'))
      throw accessDenied('group_required', 'Only an administrator may read the figures.')
    if (!services.metrics) throw notFound('not_offered', 'This host keeps no figures.')
    const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
    return { status: 200, kind: 'file', body: await services.metrics(), headers }
  },
})
