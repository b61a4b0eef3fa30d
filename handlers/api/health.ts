import { jsonAnswer } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /api/health: the process is alive. Makes no query, so that it can be called at any rate. */
export const get = route({
  method: 'GET',
  path: '/api/health',
  auth: 'none',
  tx: 'none',
  handle: () => jsonAnswer({ ok: true }),
})
