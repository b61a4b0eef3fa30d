import { z } from 'zod'
import { requireScope } from '../../kernel/access/key-scope.ts'
import { explainAccess } from '../../kernel/admin/explain-access.ts'
import { findPrincipal } from '../../kernel/auth/principal.ts'
import { notFound } from '../../kernel/errors.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/serve/route.ts'

const id = z.coerce.number().int().positive().max(2_147_483_647)

/** GET /api/explain: why a user may or may not do something with a record; for administrators. */
export const get = route({
  method: 'GET',
  path: '/api/explain',
  auth: 'session-or-key',
  forAdministrators: 'Only administrators may have access explained.',
  tx: 'write',
  query: z.strictObject({
    user: id,
    model: z.string(),
    id,
    operation: z.enum(['read', 'write', 'create', 'unlink']),
    field: z.string().optional(),
    group: id.optional(),
  }),
  async handle({ env, query: { user: userId, group, ...question } }) {
    requireScope(env.user.scope, { model: question.model, method: 'explain', isRead: true })
    const user = await findPrincipal(env, userId)
    if (user === null) throw notFound('record_not_found', `There is no active user ${userId}.`)
    return jsonAnswer({
      ok: true,
      result: await explainAccess(env, { ...question, user, whatIfGroup: group }),
      error: null,
    })
  },
})
