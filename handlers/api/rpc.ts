import { z } from 'zod'
import { LIMITS } from '../../kernel/limits.ts'
import { dispatch } from '../../kernel/rpc/dispatch.ts'
import { parseCall } from '../../kernel/rpc/envelope.ts'
import { route } from '../../kernel/serve/route.ts'

/** POST /api/rpc: every access to record data. The method decides the unit of work. */
export const post = route({
  method: 'POST',
  path: '/api/rpc',
  auth: 'session-or-key',
  tx: 'none',
  isProvable: true,
  body: { schema: z.unknown(), limit: LIMITS.rpcBodyBytes },
  handle: (context) => dispatch(context, parseCall(context.body)),
})
