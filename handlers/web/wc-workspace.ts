import { csrfTokenFor } from '../../kernel/auth/csrf.ts'
import { route } from '../../kernel/serve/route.ts'
import { workAs } from '../../kernel/work/unit-of-work.ts'
import { loadWorkspace, type OnReplica, workspaceAnswer } from '../../kernel/workspace/workspace.ts'
import { workspaceQuery } from '../../kernel/workspace/workspace-query.ts'

/** GET /web/wc/workspace: a view as the user sees it, with its records. */
export const get = route({
  method: 'GET',
  path: '/web/wc/workspace',
  auth: 'session',
  tx: 'read',
  isProvable: true,
  query: workspaceQuery,
  async handle(context) {
    const { env, caller, query, services } = context
    const onReplica: OnReplica = (read) => (services.replica ? workAs(context, caller, 'replica', read) : read(env))
    return workspaceAnswer(await loadWorkspace(env, query, csrfTokenFor(caller, services), onReplica))
  },
})
