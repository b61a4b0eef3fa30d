import { jsonAnswer } from '../../kernel/http/respond.ts'
import { describeApi } from '../../kernel/rpc/openapi.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /api/openapi.json: the RPC surface with the models and fields the caller may see. */
export const get = route({
  method: 'GET',
  path: '/api/openapi.json',
  auth: 'session-or-key',
  tx: 'read',
  handle: ({ env, caller }) => jsonAnswer(describeApi(env, caller)),
})
