import { csrfTokenFor } from '../../kernel/auth/csrf.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { requireSameSite } from '../../kernel/http/same-site.ts'
import { route } from '../../kernel/serve/route.ts'
import { loadWorkspace } from '../../kernel/workspace/workspace.ts'
import { workspaceQuery } from '../../kernel/workspace/workspace-query.ts'

/** GET /web/wc/workspace: a view as the user sees it, with its records. */
export const get = route({
  method: 'GET',
  path: '/web/wc/workspace',
  auth: 'session',
  tx: 'replica',
  query: workspaceQuery,
  async handle({ env, caller, query, request, services }) {
    requireSameSite(request.headers)
    return jsonAnswer(await loadWorkspace(env, query, csrfTokenFor(caller, services)))
  },
})
