import { jsonAnswer } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /api/health: the process is alive. Touches nothing, so that it can be asked at any rate. */
export const get = route({
  method: 'GET',
  path: '/api/health',
  auth: 'none',
  tx: 'none',
  handle: () => jsonAnswer({ ok: true }),
})
